import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { referencePages } from '../../support/docs/referencePages.ts';
import { failureCodes } from '../../../src/base/failure.ts';
import { dayMs, hourMs } from '../../../src/base/time.ts';
import {
  maxAnswerLength,
  maxListed,
  maxMetadata,
  maxRequestLength,
} from '../../../src/features/agents/common/tools.ts';
import { maxBoardItems } from '../../../src/features/board/common/boardProtocol.ts';
import { usualMaxAtOnce } from '../../../src/features/board/node/boardReading.ts';
import { keptMs } from '../../../src/features/deliver/common/delivery.ts';
import { maxListMegabytes, maxListRows } from '../../../src/features/submit/common/audioList.ts';
import { maxBatches } from '../../../src/features/submit/node/journal/batchLedger.ts';
import { maxItemDepth } from '../../../src/jobs/common/decodePage.ts';
import { rememberedMs } from '../../../src/jobs/common/submission.ts';
import { maxEntries } from '../../../src/jobs/node/journal/journal.ts';
import { maxDepth, maxNameLength } from '../../../src/language/json/jsonTree.ts';
import { maxFileMegabytes, maxEditorLength, maxEditorValues } from '../../../src/language/request/requestFile.ts';
import { maxFieldErrors } from '../../../src/platform/http/errorBody.ts';
import { maxAcceptedBytes, maxPageBytes, maxRefusalBytes } from '../../../src/platform/http/exchange.ts';
import { ruleCatalog } from '../../../src/language/check.ts';
import { startHelp } from '../../support/start/startArguments.ts';

interface Manifest {
  readonly version: string;
  readonly engines: { readonly vscode: string };
  readonly scripts: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly toolReferenceName: string }[];
    readonly keybindings: readonly { readonly key: string; readonly mac: string }[];
    readonly menus: Readonly<Record<string, readonly { readonly command?: string; readonly when?: string }[]>>;
    readonly configuration: readonly { readonly properties: Readonly<Record<string, object>> }[];
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { commands, configuration, menus } = manifest.contributes;
const hidden = new Set(menus['commandPalette']?.filter(({ when }) => when === 'false').map(({ command }) => command));
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const documents = Object.fromEntries(
  [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync(['docs/*.md', 'test/{bench,soak}/README.md']).map((path) => path.replaceAll('\\', '/')),
  ].map((file) => [file, readFileSync(file, 'utf8')]),
);

/** The title of a command in the palette, without its category. */
function titleOf(command: string): string {
  return texts[`command.${command.replace('transcriptionJobs.', '')}`] ?? '';
}

/** The first groups of all matches of a pattern. */
function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, group]) => group ?? '');
}

/** What the editor shows: texts of the manifest and of the code. */
const shown = JSON.stringify([texts, JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'))]);
/** Keys with a command, such as `Ctrl+C (macOS: Cmd+C)`. */
const keys = manifest.contributes.keybindings.map(({ key, mac }) => capitals(`${key} (macOS: ${mac})`));

function capitals(text: string): string {
  return text.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase());
}

for (const [file, text] of Object.entries(documents)) {
  describe(file, () => {
    it('names only commands of the palette', () => {
      const titles = new Set(
        commands.filter(({ command }) => !hidden.has(command)).map(({ command }) => titleOf(command)),
      );
      assert.deepEqual(
        all(text, /`Transcription: ([^`]+)`/g).filter((title) => !titles.has(title)),
        [],
      );
    });

    it('names only settings and commands that there are by their id', () => {
      const known = new Set([
        ...configuration.flatMap(({ properties }) => Object.keys(properties)),
        ...commands.map(({ command }) => command),
      ]);
      assert.deepEqual(
        all(text, /`(transcriptionJobs\.[\w.]+)`/g).filter((id) => !known.has(id)),
        [],
      );
    });

    it('names only scripts that there are, with options that they take', () => {
      const scripts = new Set([...Object.keys(manifest.scripts), 'ci', 'install', 'pack', 'publish']);
      assert.deepEqual(
        all(text, /\bnpm (?:run )?(?!registry\b)([a-z0-9:]+)/g).filter((script) => !scripts.has(script)),
        [],
      );
      assert.deepEqual(
        all(text, /npm start -- (--\w+)/g).filter((option) => !startHelp.includes(option)),
        [],
      );
    });

    it('leads only to files and headings that there are', () => {
      const anchors = new Set(
        all(text, /^#+ (.+)$/gm).map((heading) =>
          heading
            .toLowerCase()
            .replaceAll(/[^\w\s-]/g, '')
            .replaceAll(' ', '-'),
        ),
      );
      const links = all(text, /\]\(([^)\s]+)\)/g).filter((link) => !/^[a-z]+:/.test(link));
      assert.deepEqual(
        links.filter((link) =>
          link.startsWith('#') ? !anchors.has(link.slice(1)) : !existsSync(join(dirname(file), link)),
        ),
        [],
      );
      const paths = all(text, /`((?:src|media|test|l10n|\.vscode|\.github|\.ci)\/[\w./-]*)`/g);
      assert.deepEqual(
        paths.filter((path) => !existsSync(path)),
        [],
      );
    });
  });
}

const written = Object.entries(documents).filter(([file]) => !Object.hasOwn(referencePages(), file));
for (const [file, text] of written.filter(([path]) => path === 'README.md' || path.startsWith('docs/'))) {
  describe(`${file}, for users,`, () => {
    it('names only tools for agents that there are', () => {
      const tools = manifest.contributes.languageModelTools.map(({ toolReferenceName }) => toolReferenceName);
      assert.deepEqual(
        all(text, /`#(\w+)`/g).filter((name) => !tools.includes(name)),
        [],
      );
    });

    it('calls what one presses as it is called', () => {
      assert.deepEqual(
        all(text, /\*\*(.+?)\*\*/g).filter((name) => !name.endsWith('.') && !shown.includes(name)),
        [],
      );
    });

    it('names only keys that there are', () => {
      assert.deepEqual(
        all(text, /(\S+ \(macOS: .+?\))/g).filter((name) => !keys.includes(capitals(name))),
        [],
      );
    });
  });
}

describe('Numbers', () => {
  const limits: readonly (readonly [file: string, sentence: RegExp, limit: number | string])[] = [
    ['README.md', /VS Code \(([\d.]+) or newer\)/g, manifest.engines.vscode.replace(/^\^|\.0$/g, '')],
    ['README.md', /charts up to ([\d,]+) jobs/g, maxBoardItems],
    ['SECURITY.md', /(\d+) MiB of a page/g, maxPageBytes / 1024 / 1024],
    ['SECURITY.md', /(\d+) KiB of the answer to a submission/g, maxAcceptedBytes / 1024],
    ['SECURITY.md', /(\d+) KiB of an error/g, maxRefusalBytes / 1024],
    ['SECURITY.md', /(\d+) validation errors/g, maxFieldErrors],
    ['SECURITY.md', /(\d+) levels of nesting/g, maxItemDepth],
    ['SECURITY.md', /file over (\d+) MB/g, maxFileMegabytes],
    ['SECURITY.md', /list of audio URLs may have (\d+) MB/g, maxListMegabytes],
    ['SECURITY.md', /they have more than ([\d,]+) characters/g, maxEditorLength],
    ['SECURITY.md', /, ([\d,]+) values/g, maxEditorValues],
    ['SECURITY.md', /name has more than ([\d,]+) characters/g, maxNameLength],
    ['SECURITY.md', /or (\d+) levels/g, maxDepth],
    ['SECURITY.md', /at most ([\d,]+) characters/g, maxRequestLength],
    ['docs/agents.md', /first ([\d,]+) characters of the metadata/g, maxMetadata],
    ['docs/agents.md', /at most (\d+) jobs/g, maxListed],
    ['docs/agents.md', /first ([\d,]+) characters as the service sent/g, maxAnswerLength],
    ['docs/board.md', /stops at ([\d,]+) jobs/g, usualMaxAtOnce],
    ['docs/board.md', /the next ([\d,]+),/g, usualMaxAtOnce],
    ['docs/board.md', /up to ([\d,]+),/g, maxBoardItems],
    ['docs/command.md', /at most (\d+) MB/g, maxFileMegabytes],
    ['docs/privacy.md', /older than (\d+) hours/g, rememberedMs / hourMs],
    ['docs/privacy.md', /the last (\d+) of each connection/g, maxEntries],
    ['docs/privacy.md', /The last (\d+) batches/g, maxBatches],
    ['docs/privacy.md', /older than (\d+) days/g, keptMs / dayMs],
    ['docs/submitting.md', /files of more than ([\d,]+) characters/g, maxEditorLength],
    ['docs/submitting.md', /or ([\d,]+) values/g, maxEditorValues],
    ['docs/submitting.md', /name has more than ([\d,]+) characters/g, maxNameLength],
    ['docs/submitting.md', /more than (\d+) levels/g, maxDepth],
    ['docs/submitting.md', /the last (\d+) hours/g, rememberedMs / hourMs],
    ['docs/submitting.md', /([\d,]+) rows with content/g, maxListRows],
    ['docs/submitting.md', /and (\d+) MB/g, maxListMegabytes],
  ];

  it('are the limits that hold', () => {
    const named = limits.map(([file, sentence]) => [file, sentence.source, all(documents[file] ?? '', sentence)]);
    assert.deepEqual(
      named,
      limits.map(([file, { source }, limit]) => [
        file,
        source,
        [typeof limit === 'number' ? limit.toLocaleString('en') : limit],
      ]),
    );
  });

  it('of versions are that of the manifest', () => {
    const version = /(?:transcription-requests-|rev: v|transcription-jobs@v)(\d+\.\d+\.\d+)/g;
    const named = Object.entries(documents).flatMap(([file, text]) => all(text, version).map((each) => [file, each]));
    assert.ok(named.length >= 5);
    assert.deepEqual(
      named.filter(([, each]) => each !== manifest.version),
      [],
    );
  });
});

describe('The reference in docs/', () => {
  it('says what the code says: npm run docs', () => {
    for (const [file, text] of Object.entries(referencePages())) assert.equal(readFileSync(file, 'utf8'), text, file);
  });

  it('has every rule and every way to fail once', () => {
    const codes = (file: string): readonly string[] => all(documents[file] ?? '', /^\| `(.+?)`/gm).toSorted();
    assert.deepEqual(codes('docs/rules.md'), ruleCatalog.map(({ code }) => code).toSorted());
    assert.deepEqual(codes('docs/error-codes.md'), [...failureCodes].toSorted());
  });
});
