import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';
import { importCircle } from './importCircle.ts';
import { importedPath, moduleImports, runtimeImports } from './moduleImports.ts';

/** A room of the product, from top to bottom, with the prefixes of paths and packages that its modules may import. */
interface Room {
  readonly holds: string;
  readonly mayImport: readonly string[];
}

const rooms: readonly Room[] = [
  {
    holds: 'src/extension.ts',
    mayImport: ['src/editor/', 'src/service/', 'src/domain/', 'src/sample/', 'vscode', '@vscode/l10n'],
  },
  {
    holds: 'src/editor/',
    // Only computing parts of Node: files are accessed through the editor, the network through the service layer.
    mayImport: [
      'src/editor/',
      'src/service/',
      'src/domain/',
      'vscode',
      '@vscode/l10n',
      'request-validator:',
      'node:crypto',
      'node:path',
      'node:buffer',
    ],
  },
  // Composes what needs no Node.
  { holds: 'src/web/', mayImport: ['src/editor/', 'src/service/', 'src/domain/', 'vscode', '@vscode/l10n'] },
  { holds: 'src/service/', mayImport: ['src/service/', 'src/domain/', 'node:', 'got', 'papaparse'] },
  { holds: 'src/sample/', mayImport: ['src/sample/', 'src/domain/', 'node:'] },
  {
    holds: 'src/domain/',
    // The schema is data, and the code compiled from it is pure.
    mayImport: [
      'src/domain/',
      'media/schemas/request.schema.json',
      '@vscode/l10n',
      'jsonc-parser',
      'fastest-levenshtein',
    ],
  },
  {
    holds: 'src/cli/',
    // The server is one of its commands; the schema is what another one prints.
    mayImport: [
      'src/cli/',
      'src/server/',
      'src/domain/',
      'request-validator:',
      'media/schemas/request.schema.json',
      'node:',
      'tinyglobby',
      'diff',
    ],
  },
  {
    holds: 'src/server/',
    mayImport: [
      'src/server/',
      'src/domain/',
      'media/schemas/request.schema.json',
      'node:',
      'vscode-languageserver',
      'vscode-json-languageservice',
    ],
  },
  { holds: 'media/page/', mayImport: ['media/page/', 'src/domain/', '@vscode/l10n', 'lit/'] },
  {
    holds: 'media/board/',
    // The pages of jobs lend the board their style, buttons and icons.
    mayImport: [
      'media/board/',
      'media/page/base.css',
      'media/page/connectPage.ts',
      'media/page/renderButton.ts',
      'media/page/renderIcon.ts',
      'src/domain/',
      '@vscode/l10n',
      '@tanstack/virtual-core',
      'lit/',
      'uplot',
    ],
  },
  // These run during the build, not in the product.
  { holds: 'media/package/', mayImport: ['media/package/', 'node:', 'esbuild'] },
  { holds: 'media/schemas/', mayImport: ['media/schemas/', 'node:', 'ajv', 'esbuild'] },
];

/** Imports that no room allows, as `importer → imported`. */
function forbiddenImports(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...imports].flatMap(([path, imported]) => {
    const room = rooms.find(({ holds }) => path.startsWith(holds));
    if (!room) return [`${path} is in no room`];
    return imported
      .filter((target) => !room.mayImport.some((start) => target.startsWith(start)))
      .map((target) => `${path} → ${target}`);
  });
}

function importsOf(
  texts: ReadonlyMap<string, string>,
  specifiersOf: typeof moduleImports = moduleImports,
): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...parseSources(texts)].map(([path, tree]) => [
      path,
      specifiersOf(tree).map((specifier) => importedPath(path, specifier)),
    ]),
  );
}

/** Modules among the adapters that do not need the editor to run. */
const editorFree = new Set([
  // The manifest's ids of commands, views and settings, which nothing below the editor may know.
  'src/platform/editor/ids.ts',
]);

/** Modules of `src/editor/` that do not import `vscode` at run time, even indirectly: they belong in a lower layer. */
function withoutEditor(texts: ReadonlyMap<string, string>): readonly string[] {
  const imports = importsOf(texts, runtimeImports);
  const needsEditor = (path: string, seen: Set<string>): boolean =>
    (imports.get(path) ?? []).some((target) => {
      if (target === 'vscode') return true;
      if (seen.has(target)) return false;
      return needsEditor(target, seen.add(target));
    });
  return [...imports.keys()].filter((path) => path.startsWith('src/editor/') && !needsEditor(path, new Set([path])));
}

/** Where time may be read and timers set: the clock, and separate programs. */
const clockUsers = ['src/base/clock.ts', 'src/cli/cli.ts', 'src/server/requestServer.ts', 'src/sample/'];

/** Places in the product that read the time or set a timer directly. */
function bareTimers(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts]
    .filter(([path]) => path.startsWith('src/') && !clockUsers.some((start) => path.startsWith(start)))
    .flatMap(([path, text]) => {
      const code = text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
      const bare = code.match(/\b(?:set(?:Timeout|Interval)|Date\.now|new Date\(\)|node:timers[\w/]*)/g) ?? [];
      return bare.map((each) => `${path}: ${each}`);
    });
}

describe('Layers', () => {
  const sources = projectSources();
  const imports = importsOf(sources);

  it('import downwards only, and no room reaches for what is not its own', () => {
    assert.deepEqual(forbiddenImports(imports), []);
  });

  it('have nothing among the adapters that needs no editor', () => {
    assert.deepEqual(
      withoutEditor(sources).filter((path) => !editorFree.has(path)),
      [],
    );
    const snippets = {
      'src/editor/a.ts': "import * as vscode from 'vscode';",
      'src/editor/b.ts': "import { a } from './a.ts';",
      'src/editor/c.ts': "import type { Memento } from 'vscode'; import { type A } from './a.ts'; import './d.ts';",
      'src/editor/d.ts': "export type { A } from './a.ts'; import './c.ts';",
      'src/editor/e.ts': "export const load = () => import('./b.ts');",
      'src/service/f.ts': '',
    };
    assert.deepEqual(withoutEditor(new Map(Object.entries(snippets))), ['src/editor/c.ts', 'src/editor/d.ts']);
  });

  it('have one clock', () => {
    assert.deepEqual(bareTimers(sources), []);
    const snippets = {
      'src/editor/a.ts': 'setTimeout(run, 5); // setInterval(run)',
      'src/domain/b.ts': '/** Not `Date.now`. */ const at = new Date(); new Date(5); const now = Date.now;',
      'src/service/c.ts': "import { setTimeout as delay } from 'node:timers/promises';",
      'src/base/clock.ts': 'setTimeout(run, 5);',
      'test/d.ts': 'Date.now();',
    };
    assert.deepEqual(bareTimers(new Map(Object.entries(snippets))), [
      'src/editor/a.ts: setTimeout',
      'src/domain/b.ts: new Date()',
      'src/domain/b.ts: Date.now',
      'src/service/c.ts: setTimeout',
      'src/service/c.ts: node:timers/promises',
    ]);
  });

  it('have no circle', () => {
    assert.deepEqual(importCircle(imports), []);
  });

  it('would not take in a step upwards, in whatever way it is written', () => {
    const breaches = {
      'src/domain/job.ts': "import type { Job } from '../service/jobStore.ts';",
      'src/domain/clock.ts': "export { setTimeout } from 'node:timers/promises';",
      'src/domain/lazy.ts': "export const load = () => import('../../media/page/pageShell.ts');",
      'src/service/show.ts': "export type Editor = import('vscode').TextEditor;",
      'src/sample/run.ts': "import { activate } from '../extension.ts';",
      'media/page/send.ts': "import 'got';",
      'src/stray.ts': '',
    };
    assert.deepEqual(forbiddenImports(importsOf(new Map(Object.entries(breaches)))), [
      'src/domain/job.ts → src/service/jobStore.ts',
      'src/domain/clock.ts → node:timers/promises',
      'src/domain/lazy.ts → media/page/pageShell.ts',
      'src/service/show.ts → vscode',
      'src/sample/run.ts → src/extension.ts',
      'media/page/send.ts → got',
      'src/stray.ts is in no room',
    ]);
  });

  it('would not take in a circle', () => {
    const circle = {
      'src/domain/a.ts': "import { b } from './b.ts'; import { d } from './d.ts';",
      'src/domain/b.ts': "import type { C } from './c/c.ts';",
      'src/domain/c/c.ts': "import { a } from '../a.ts';",
      'src/domain/d.ts': '',
    };
    assert.deepEqual(importCircle(importsOf(new Map(Object.entries(circle)))), [
      'src/domain/a.ts',
      'src/domain/b.ts',
      'src/domain/c/c.ts',
      'src/domain/a.ts',
    ]);
  });
});
