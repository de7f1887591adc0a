import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { parseSnippet, parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';

/**
 * Functions that show text in which the editor creates links, and the files that may call them because they escape it.
 */
const showing: Readonly<Record<string, readonly string[]>> = {
  showInformationMessage: ['src/platform/editor/messages.ts'],
  showWarningMessage: ['src/platform/editor/messages.ts'],
  showErrorMessage: ['src/platform/editor/messages.ts'],
  withProgress: ['src/platform/editor/progress.ts'],
  createInputBox: ['src/platform/editor/inputBox.ts'],
  // Shows only our own text.
  showInputBox: ['src/features/details/editor/editErrorLabel.ts', 'src/features/details/editor/speakerNaming.ts'],
  setStatusBarMessage: ['src/platform/editor/messages.ts'],
};

/** Modal dialogs create no links, and progress at the top of a view shows no text. */
const harmless = /\{\s*modal: true\b|\blocation: \{ viewId: /;

/** Calls in a module that show text without escaping it. */
function directCalls(path: string, tree: SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    if (isCallExpression(node) && isPropertyAccessExpression(node.expression)) {
      const { text: name } = node.expression.name;
      const places = Object.hasOwn(showing, name) ? showing[name] : undefined;
      if (places?.includes(path) === false && !harmless.test(node.getText(tree))) found.push(`${path}: ${name}`);
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

describe('Messages', () => {
  it('that can hold words from outside go the way that makes no links of them', () => {
    assert.deepEqual(
      [...parseSources(projectSources())].flatMap(([path, tree]) => directCalls(path, tree)),
      [],
    );
  });

  it('would not take in another way', () => {
    const found = (text: string): readonly string[] => directCalls('src/jobs/editor/a.ts', parseSnippet(text));
    assert.deepEqual(found('void vscode.window.showErrorMessage(text);'), ['src/jobs/editor/a.ts: showErrorMessage']);
    assert.deepEqual(found('window.withProgress({ location: 15, title }, body);'), [
      'src/jobs/editor/a.ts: withProgress',
    ]);
    assert.deepEqual(found('await vscode.window.showWarningMessage(text, { modal: true, detail }, yes);'), []);
  });
});
