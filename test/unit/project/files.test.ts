import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import type { SourceFile } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import { isExportAssignment, isExportDeclaration, isExportSpecifier } from 'typescript/unstable/ast/is';
import { parseSnippet, parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';
import { exportedNames } from './exportedNames.ts';

/** The editor calls the function of this name in each of the two entry points. */
const prescribed = new Set(['activate']);
const vagueNames = new Set(['utils', 'util', 'helpers', 'helper', 'common', 'types', 'index', 'misc', 'shared']);

const sources = projectSources();
const trees = parseSources(sources);

function where(holds: (path: string) => boolean): readonly string[] {
  return [...sources.keys()].filter(holds);
}

function hasUnnumberedMark(text: string): boolean {
  return /\b(?:TODO|FIXME|XXX|HACK)\b(?! ?\(?#\d+)/.test(text);
}

function hasDefaultExport(tree: SourceFile): boolean {
  return tree.statements.some((statement) => {
    if (isExportAssignment(statement)) return true;
    if (isExportDeclaration(statement)) {
      let found = false;
      statement.exportClause?.forEachChild((specifier) => {
        if (isExportSpecifier(specifier) && specifier.name.text === 'default') found = true;
      });
      return found;
    }
    let found = false;
    statement.forEachChild((child) => {
      if (child.kind === SyntaxKind.DefaultKeyword) found = true;
    });
    return found;
  });
}

function isBarrel(tree: SourceFile): boolean {
  const passedOn = tree.statements.filter((each) => isExportDeclaration(each) && each.moduleSpecifier !== undefined);
  return passedOn.length > 0 && passedOn.length === tree.statements.length;
}

/** Names that several modules export, with these modules; re-exports do not count. */
function namesExportedTwice(modules: ReadonlyMap<string, SourceFile>): readonly string[] {
  const homes = new Map<string, string[]>();
  for (const [path, tree] of modules) {
    for (const name of exportedNames(tree)) homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return [...homes]
    .filter(([name, paths]) => paths.length > 1 && !prescribed.has(name))
    .map(([name, paths]) => `${name}: ${paths.join(', ')}`)
    .sort();
}

function parseTexts(texts: Readonly<Record<string, string>>): ReadonlyMap<string, SourceFile> {
  return parseSources(new Map(Object.entries(texts)));
}

function treeOf(path: string): SourceFile {
  const tree = trees.get(path);
  assert(tree);
  return tree;
}

describe('Source files', () => {
  it('export each name from one module only', () => {
    assert.deepEqual(namesExportedTwice(trees), []);
    const twice = parseTexts({
      'src/a.ts': 'export function open() {} function hidden() {}',
      'src/b.ts': 'export const { open } = room; const hidden = 1;',
      'src/c.ts': 'type Open = 1; export type { Open as Closed }; export interface Shut {}',
      'media/page/d.ts': 'export class Shut {}',
      'src/e.ts': "export { Closed } from './c.ts';",
    });
    assert.deepEqual(namesExportedTwice(twice), ['Shut: src/c.ts, media/page/d.ts', 'open: src/a.ts, src/b.ts']);
  });

  it('have names that say what is in them', () => {
    const stem = (path: string): string => posix.basename(path).replace(/(?:\.d|\.page)?\.ts$/, '');
    assert.deepEqual(
      where((path) => !/^[a-z][A-Za-z0-9]*$/.test(stem(path)) || vagueNames.has(stem(path).toLowerCase())),
      [],
    );
  });

  it('export by name', () => {
    assert.deepEqual(
      where((path) => !path.endsWith('.d.ts') && hasDefaultExport(treeOf(path))),
      [],
    );
    for (const text of ['export default 1;', 'export default class {}', 'const a = 1; export { a as default };']) {
      assert(hasDefaultExport(parseSnippet(text)), text);
    }
    assert(!hasDefaultExport(parseSnippet('export const a = 1; export { b } from "./b.ts";')));
  });

  it('hold more than what others export', () => {
    assert.deepEqual(
      where((path) => isBarrel(treeOf(path))),
      [],
    );
    assert(isBarrel(parseSnippet('export * from "./a.ts"; export { b } from "./b.ts";')));
    assert(!isBarrel(parseSnippet('export { a } from "./a.ts"; export const b = 1;')));
  });

  it('put off nothing without a number', () => {
    assert.deepEqual(
      where((path) => hasUnnumberedMark(sources.get(path) ?? '')),
      [],
    );
    assert(hasUnnumberedMark('// TODO: later') && !hasUnnumberedMark('// TODO #12: later, TODO(#3)'));
  });
});
