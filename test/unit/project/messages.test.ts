import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import { isCallExpression, isPropertyAccessExpression } from 'typescript/unstable/ast/is';
import { parseSnippet, parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';

/** What shows text in which the editor makes links, and where it may be called: there the text is made plain. */
const showing: Readonly<Record<string, readonly string[]>> = {
  showInformationMessage: ['src/editor/messages.ts'],
  showWarningMessage: ['src/editor/messages.ts'],
  showErrorMessage: ['src/editor/messages.ts'],
  withProgress: ['src/editor/progress.ts'],
  createInputBox: ['src/editor/inputBox.ts'],
  // Its words are our own.
  showInputBox: ['src/editor/details/editErrorLabel.ts'],
  setStatusBarMessage: ['src/editor/messages.ts'],
};

/** Modal dialogs make no links, and progress at the top of a view has no words. */
const harmless = /\{\s*modal: true\b|\blocation: \{ viewId: /;

/** Calls in a module that show text which was not made plain. */
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
    const found = (text: string): readonly string[] => directCalls('src/editor/a.ts', parseSnippet(text));
    assert.deepEqual(found('void vscode.window.showErrorMessage(text);'), ['src/editor/a.ts: showErrorMessage']);
    assert.deepEqual(found('window.withProgress({ location: 15, title }, body);'), ['src/editor/a.ts: withProgress']);
    assert.deepEqual(found('await vscode.window.showWarningMessage(text, { modal: true, detail }, yes);'), []);
  });
});
