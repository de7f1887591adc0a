import assert from 'node:assert/strict';
import { posix } from 'node:path';
import { describe, it } from 'node:test';
import { parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';
import { importCircle } from './importCircle.ts';
import { importedPath, moduleImports, runtimeImports } from './moduleImports.ts';

/** The floors of the house, the lowest first. A module may import its own floor and those below it. */
const floors: readonly (readonly string[])[] = [
  ['src/base/'],
  ['src/known/'],
  ['src/platform/'],
  ['src/language/'],
  ['src/connections/common/'],
  ['src/settingShapes.ts', 'src/settings.ts', 'src/writeSetting.ts'],
  ['src/connections/'],
  ['src/jobs/'],
  // What features share. It names types of their pure parts.
  ['src/services.ts'],
  ['src/features/'],
  ['src/extension.ts'],
];

/** What a floor and those below it hold. @param top undefined for none of them */
function upTo(top: string): readonly string[] {
  const index = floors.findIndex((floor) => floor.includes(top));
  return floors.slice(0, index + 1).flat();
}

/** Packages that compute, and need neither Node nor the editor nor a page. */
const purePackages = [
  '@vscode/l10n',
  'jsonc-parser',
  'fastest-levenshtein',
  'get-east-asian-width',
  'media/schemas/request.schema.json',
];
/** Only computing parts of Node: adapters reach files through the editor, and the network through the floors below. */
const computingParts = ['node:crypto', 'node:path', 'node:buffer'];

/** What stands beside the floors, with the prefixes of paths and packages that its modules may import. */
const annexes: readonly { readonly holds: string; readonly mayImport: readonly string[] }[] = [
  { holds: 'src/extension.ts', mayImport: [...upTo('src/extension.ts'), 'src/sample/', 'vscode', '@vscode/l10n'] },
  // Composes what needs no Node.
  { holds: 'src/web/', mayImport: [...upTo('src/features/'), 'vscode', '@vscode/l10n'] },
  { holds: 'src/sample/', mayImport: ['src/sample/', ...upTo('src/known/'), 'src/jobs/common/job.ts', 'node:'] },
  {
    holds: 'src/cli/',
    // The server is one of its commands; the schema is what another one prints.
    mayImport: [
      'src/cli/',
      'src/server/',
      ...upTo('src/connections/common/'),
      'request-validator:',
      'media/schemas/request.schema.json',
      'node:',
      'tinyglobby',
      'ignore',
      'diff',
    ],
  },
  {
    holds: 'src/server/',
    mayImport: [
      'src/server/',
      ...upTo('src/connections/common/'),
      'media/schemas/request.schema.json',
      'node:',
      'vscode-languageserver',
      'vscode-json-languageservice',
    ],
  },
  { holds: 'media/page/', mayImport: ['media/page/', ...upTo('src/features/'), '@vscode/l10n', 'lit/'] },
  {
    holds: 'media/board/',
    // The pages of jobs lend the board their style, buttons and icons.
    mayImport: [
      'media/board/',
      'media/page/base.css',
      'media/page/connectPage.ts',
      'media/page/renderButton.ts',
      'media/page/renderIcon.ts',
      ...upTo('src/features/'),
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

/** Modules of the lowest floor that set timers or compute hashes. */
const baseWithNode = ['src/base/clock.ts', 'src/base/digest.ts', 'src/base/emitter.ts'];

/** Whether a module is pure: no Node, no editor, no page. */
function isPure(path: string): boolean {
  if (baseWithNode.includes(path)) return false;
  const isBelow = ['src/base/', 'src/known/', 'src/language/'].some((start) => path.startsWith(start));
  return path.includes('/common/') || (isBelow && !path.startsWith('src/language/editor/'));
}

/** Where the editor may be imported. */
function isAdapter(path: string): boolean {
  return path.includes('/editor/') || ['src/settings.ts', 'src/writeSetting.ts', 'src/services.ts'].includes(path);
}

const startsWithAny = (path: string, starts: readonly string[]): boolean =>
  starts.some((start) => path.startsWith(start));

/** Whether a module of a floor may import a module or package. */
function isAllowed(path: string, target: string): boolean {
  const floor = floors.findIndex((starts) => startsWithAny(path, starts));
  const isOwn = target.startsWith('src/');
  if (isPure(path))
    return isOwn
      ? isPure(target) && startsWithAny(target, floors.slice(0, floor + 1).flat()) && isOfFeature(path, target)
      : startsWithAny(target, purePackages);
  if (target === 'package.json') return isAdapter(path);
  if (isOwn) {
    if (!isAdapter(path) && isAdapter(target)) return false;
    const isBelow = startsWithAny(target, floors.slice(0, floor + 1).flat());
    return (isBelow && isOfFeature(path, target)) || (path === 'src/services.ts' && isCommon(target));
  }
  if (isAdapter(path))
    return startsWithAny(target, ['vscode', '@vscode/l10n', 'request-validator:', ...computingParts]);
  return startsWithAny(target, ['node:', 'got', 'papaparse', ...purePackages]);
}

/** True if a module is the pure part of a feature, which others may use. */
function isCommon(path: string): boolean {
  return /^src\/features\/\w+\/common\//.test(path);
}

/** Whether an import stays within a feature, or is of what another one offers: its pure part. */
function isOfFeature(path: string, target: string): boolean {
  const featureOf = (each: string): string | undefined => /^src\/features\/(\w+)\//.exec(each)?.[1];
  const feature = featureOf(target);
  return feature === undefined || feature === featureOf(path) || target.startsWith(`src/features/${feature}/common/`);
}

/** Imports that the house does not allow, as `importer → imported`. */
function forbiddenImports(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...imports].flatMap(([path, imported]) => {
    const annex = annexes.find(({ holds }) => path.startsWith(holds));
    if (annex === undefined && !startsWithAny(path, floors.flat())) return [`${path} is in no room`];
    return imported
      .filter((target) => !(annex === undefined ? isAllowed(path, target) : startsWithAny(target, annex.mayImport)))
      .map((target) => `${path} → ${target}`);
  });
}

/** Imports of pages that are not pure. */
function impureImportsOfPages(imports: ReadonlyMap<string, readonly string[]>): readonly string[] {
  return [...imports]
    .filter(([path]) => path.startsWith('media/page/') || path.startsWith('media/board/'))
    .flatMap(([path, imported]) =>
      imported.filter((target) => target.startsWith('src/') && !isPure(target)).map((target) => `${path} → ${target}`),
    );
}

/** The imports between folders; modules beside the extension are folders of their own. */
function folderImports(imports: ReadonlyMap<string, readonly string[]>): ReadonlyMap<string, readonly string[]> {
  const folderOf = (path: string): string => (posix.dirname(path) === 'src' ? path : posix.dirname(path));
  const folders = new Map<string, Set<string>>();
  for (const [path, imported] of imports) {
    const folder = folderOf(path);
    const known = folders.get(folder) ?? new Set();
    for (const target of imported) if (imports.has(target) && folderOf(target) !== folder) known.add(folderOf(target));
    folders.set(folder, known);
  }
  return new Map([...folders].map(([folder, targets]) => [folder, [...targets]]));
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

/** Adapters that do not import `vscode` at run time, even indirectly: they belong elsewhere. */
function withoutEditor(texts: ReadonlyMap<string, string>): readonly string[] {
  const imports = importsOf(texts, runtimeImports);
  const needsEditor = (path: string, seen: Set<string>): boolean =>
    (imports.get(path) ?? []).some((target) => {
      if (target === 'vscode') return true;
      if (seen.has(target)) return false;
      return needsEditor(target, seen.add(target));
    });
  return [...imports.keys()].filter((path) => path.includes('/editor/') && !needsEditor(path, new Set([path])));
}

/** Where time may be read and timers set: the clock, and separate programs. */
const clockUsers = ['src/base/clock.ts', 'src/cli/cli.ts', 'src/server/requestServer.ts', 'src/sample/'];

/** Places in the product that read the time or set a timer directly. */
function bareTimers(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts]
    .filter(([path]) => path.startsWith('src/') && !clockUsers.some((start) => path.startsWith(start)))
    .flatMap(([path, text]) => {
      const bare =
        withoutComments(text).match(/\b(?:set(?:Timeout|Interval)|Date\.now|new Date\(\)|node:timers[\w/]*)/g) ?? [];
      return bare.map((each) => `${path}: ${each}`);
    });
}

/** Ways to send requests, start programs and load other code. A page may use the editor's `import()` of its own files only. */
const ways =
  /\bnode:(?:http|https|http2|net|tls|dgram|dns|child_process)\b|(?<![.#\w])fetch\(|\b(?:WebSocket|XMLHttpRequest|EventSource|sendBeacon)\b|\bimport\([^'"]/g;
const senders = ['src/platform/http/', 'src/sample/', 'media/package/', 'media/schemas/'];
/** Its `fetch` is a parameter. */
const ownFetch = 'src/jobs/node/list/listWalk.ts';

/** Places of the product that could send something elsewhere than by the HTTP client. */
function outgoing(texts: ReadonlyMap<string, string>): readonly string[] {
  return [...texts].flatMap(([path, text]) => {
    const found = withoutComments(text).match(ways) ?? [];
    const isSender = startsWithAny(path, senders);
    return found
      .filter((each) => (isSender ? each === 'node:child_process' : path !== ownFetch))
      .map((each) => `${path}: ${each}`);
  });
}

function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?\*\//g, '').replaceAll(/(?<=^|\s)\/\/.*$/gm, '');
}

/** Functions that stand behind `createRequestLanguage`. */
const behindLanguage =
  /\b(?:checkRequest|checkRules|gateRequest|findWrongValues|fixSafely|offerFixes|offerConversions|suggestAt|findLanguageAt|effectOf|explainTopic|understandPaste)\b/;

/** Imports of features from the request language that are neither of its face nor of its adapters, with their reasons. */
const lightImports = new Map([
  // Pages of jobs do not load the rules.
  ['src/features/details/common/echoedRequest.ts', 'src/language/effect.ts'],
]);

/** Hosts and features that reach behind the face of the request language. */
function languageBypasses(texts: ReadonlyMap<string, string>): readonly string[] {
  const isBehind = (target: string): boolean =>
    target.startsWith('src/language/') &&
    target !== 'src/language/requestLanguage.ts' &&
    !target.startsWith('src/language/editor/');
  const ofFeatures = [...importsOf(texts)]
    .filter(([path]) => path.startsWith('src/features/'))
    .filter(([path, imported]) => imported.some((each) => isBehind(each) && lightImports.get(path) !== each))
    .map(([path]) => path);
  const ofHosts = [...texts]
    .filter(
      ([path, text]) =>
        !path.startsWith('src/language/') && importsByName(text).some((names) => behindLanguage.test(names)),
    )
    .map(([path]) => path);
  return [...new Set([...ofFeatures, ...ofHosts])];
}

function importsByName(text: string): readonly string[] {
  return [...text.matchAll(/^import \{([^}]*)\}/gm)].map(([, names = '']) => names);
}

describe('The house', () => {
  const sources = projectSources();
  const imports = importsOf(sources);

  it('imports downwards only, and keeps what is pure pure', () => {
    assert.deepEqual(forbiddenImports(imports), []);
    assert.deepEqual(impureImportsOfPages(imports), []);
  });

  it('has nothing among the adapters that needs no editor', () => {
    assert.deepEqual(
      withoutEditor(sources).filter((path) => !editorFree.has(path)),
      [],
    );
    const snippets = {
      'src/jobs/editor/a.ts': "import * as vscode from 'vscode';",
      'src/jobs/editor/b.ts': "import { a } from './a.ts';",
      'src/jobs/editor/c.ts':
        "import type { Memento } from 'vscode'; import { type A } from './a.ts'; import './d.ts';",
      'src/jobs/editor/d.ts': "export type { A } from './a.ts'; import './c.ts';",
      'src/jobs/editor/e.ts': "export const load = () => import('./b.ts');",
      'src/jobs/node/f.ts': '',
    };
    const needless = ['src/jobs/editor/c.ts', 'src/jobs/editor/d.ts'];
    assert.deepEqual(withoutEditor(new Map(Object.entries(snippets))), needless);
  });

  it('has one clock', () => {
    assert.deepEqual(bareTimers(sources), []);
    const snippets = {
      'src/jobs/editor/a.ts': 'setTimeout(run, 5); // setInterval(run)',
      'src/base/b.ts': '/** Not `Date.now`. */ const at = new Date(); new Date(5); const now = Date.now;',
      'src/jobs/node/c.ts': "import { setTimeout as delay } from 'node:timers/promises';",
      'src/base/clock.ts': 'setTimeout(run, 5);',
      'test/d.ts': 'Date.now();',
    };
    assert.deepEqual(bareTimers(new Map(Object.entries(snippets))), [
      'src/jobs/editor/a.ts: setTimeout',
      'src/base/b.ts: new Date()',
      'src/base/b.ts: Date.now',
      'src/jobs/node/c.ts: setTimeout',
      'src/jobs/node/c.ts: node:timers/promises',
    ]);
  });

  it('sends requests in one place, starts no program and loads no code that it does not contain', () => {
    assert.deepEqual(outgoing(sources), []);
    const snippets = {
      'src/jobs/node/a.ts': "import { get } from 'node:https'; void fetch(get); void import(name);",
      'src/features/tree/common/b.ts':
        "import { spawn } from 'node:child_process'; this.#fetch(); void import('./a.ts');",
      'src/platform/http/c.ts': "import { get } from 'node:https'; import { exec } from 'node:child_process';",
      'media/page/d.ts': 'new WebSocket(address);',
    };
    assert.deepEqual(outgoing(new Map(Object.entries(snippets))), [
      'src/jobs/node/a.ts: node:https',
      'src/jobs/node/a.ts: fetch(',
      'src/jobs/node/a.ts: import(n',
      'src/features/tree/common/b.ts: node:child_process',
      'src/platform/http/c.ts: node:child_process',
      'media/page/d.ts: WebSocket',
    ]);
  });

  it('reaches the request language by its one face', () => {
    assert.deepEqual(languageBypasses(sources), []);
    const hosts = {
      'src/cli/a.ts': "import {\n  checkRequest,\n} from '../language/check.ts';",
      'src/features/submit/common/b.ts': "import { findNode } from '../../../language/json/jsonTree.ts';",
      'src/features/submit/common/c.ts': "import type { Finding } from '../../../language/request/finding.ts';",
      'src/features/submit/editor/d.ts': "import { isRequestFile } from '../../../language/editor/requestFileType.ts';",
      'src/features/submit/node/e.ts': "import { findNode } from '../../../language/requestLanguage.ts';",
    };
    assert.deepEqual(languageBypasses(new Map(Object.entries(hosts))), [
      'src/features/submit/common/b.ts',
      'src/features/submit/common/c.ts',
      'src/cli/a.ts',
    ]);
  });

  it('has no circle of files, and none of folders', () => {
    assert.deepEqual(importCircle(imports), []);
    assert.deepEqual(importCircle(folderImports(imports)), []);
  });

  it('would not take in a step upwards, in whatever way it is written', () => {
    const breaches = {
      'src/jobs/common/job.ts': "import type { Job } from '../node/jobStore.ts';",
      'src/base/moment.ts': "export { setTimeout } from 'node:timers/promises';",
      'src/base/lazy.ts': "export const load = () => import('../../media/page/pageShell.ts');",
      'src/language/read.ts': "import { Log } from '../base/clock.ts';",
      'src/jobs/node/show.ts': "export type Editor = import('vscode').TextEditor; import '../editor/ask.ts';",
      'src/features/tree/editor/rows.ts': "import '../../views/editor/views.ts'; import '../../views/common/view.ts';",
      'src/connections/node/keys.ts': "import '../../jobs/common/job.ts';",
      'src/sample/run.ts': "import { activate } from '../extension.ts';",
      'media/page/send.ts': "import 'got';",
      'src/stray.ts': '',
    };
    assert.deepEqual(forbiddenImports(importsOf(new Map(Object.entries(breaches)))), [
      'src/jobs/common/job.ts → src/jobs/node/jobStore.ts',
      'src/base/moment.ts → node:timers/promises',
      'src/base/lazy.ts → media/page/pageShell.ts',
      'src/language/read.ts → src/base/clock.ts',
      'src/jobs/node/show.ts → vscode',
      'src/jobs/node/show.ts → src/jobs/editor/ask.ts',
      'src/features/tree/editor/rows.ts → src/features/views/editor/views.ts',
      'src/connections/node/keys.ts → src/jobs/common/job.ts',
      'src/sample/run.ts → src/extension.ts',
      'media/page/send.ts → got',
      'src/stray.ts is in no room',
    ]);
    const page = new Map([['media/page/a.ts', ['src/jobs/common/job.ts', 'src/jobs/node/jobStore.ts']]]);
    assert.deepEqual(impureImportsOfPages(page), ['media/page/a.ts → src/jobs/node/jobStore.ts']);
  });

  it('would not take in a circle', () => {
    const circle = {
      'src/base/a.ts': "import { b } from './b.ts'; import { d } from './d.ts';",
      'src/base/b.ts': "import type { C } from './c/c.ts';",
      'src/base/c/c.ts': "import { a } from '../a.ts';",
      'src/base/d.ts': '',
    };
    const imported = importsOf(new Map(Object.entries(circle)));
    assert.deepEqual(importCircle(imported), ['src/base/a.ts', 'src/base/b.ts', 'src/base/c/c.ts', 'src/base/a.ts']);
    // No circle of files, but one of folders.
    const { 'src/base/d.ts': _d, ...others } = circle;
    const folders = importsOf(
      new Map(Object.entries({ ...others, 'src/base/c/c.ts': "import '../e.ts';", 'src/base/e.ts': '' })),
    );
    assert.deepEqual(importCircle(folders), []);
    assert.deepEqual(importCircle(folderImports(folders)), ['src/base', 'src/base/c', 'src/base']);
  });
});
