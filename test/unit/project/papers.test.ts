import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { referencePages } from '../../support/docs/referencePages.ts';
import { failureCodes } from '../../../src/base/failure.ts';
import { ruleCatalog } from '../../../src/language/check.ts';
import { startHelp } from '../../support/start/startArguments.ts';

interface Manifest {
  readonly scripts: Readonly<Record<string, string>>;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly languageModelTools: readonly { readonly toolReferenceName: string }[];
    readonly keybindings: readonly { readonly key: string; readonly mac: string }[];
    readonly configuration: { readonly properties: Readonly<Record<string, { readonly default: unknown }>> };
  };
}

const manifest = JSON.parse(readFileSync('package.json', 'utf8')) as Manifest;
const { commands, configuration, keybindings } = manifest.contributes;
const texts = JSON.parse(readFileSync('package.nls.json', 'utf8')) as Readonly<Record<string, string>>;
const papers = Object.fromEntries(
  [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    ...globSync('docs/*.md').map((path) => path.replaceAll('\\', '/')),
  ].map((file) => [file, readFileSync(file, 'utf8')]),
);
const readme = papers['README.md'] ?? '';

/** The title of a command in the palette, without its category. */
function titleOf(command: string): string {
  return texts[`command.${command.replace('transcriptionJobs.', '')}`] ?? '';
}

/** The first groups of all matches of a pattern. */
function all(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map(([, group]) => group ?? '');
}

/** The cells of the table below a heading, without its header row and code marks. */
function table(text: string, heading: string): readonly (readonly string[])[] {
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  const lines = section.split('\n').filter((line) => line.startsWith('|'));
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split(/(?<!\\)\|/)
      .map((cell) =>
        cell
          .trim()
          .replaceAll('\\|', '|')
          .replace(/^`(.*)`$/, '$1'),
      ),
  );
}

type Rows = readonly (readonly (string | undefined)[])[];

/** The rows of a table that differ from the expected ones, in pairs. */
function differingRows(shown: Rows, expected: Rows): readonly object[] {
  const text = (row: Rows[number] | undefined): string => (row ? `| ${row.join(' | ')} |` : 'no row');
  return Array.from({ length: Math.max(shown.length, expected.length) }, (_, at) => ({
    shown: text(shown[at]),
    expected: text(expected[at]),
  })).filter((row) => row.shown !== row.expected);
}

function assertRows(shown: Rows, expected: Rows): void {
  assert.deepEqual(differingRows(shown, expected), []);
}

for (const [file, text] of Object.entries(papers)) {
  describe(file, () => {
    it('names only commands that there are', () => {
      const titles = new Set(commands.map(({ command }) => titleOf(command)));
      assert.deepEqual(
        all(text, /`Transcription: ([^`]+)`/g).filter((title) => !titles.has(title)),
        [],
      );
    });

    it('names only settings and commands that there are by their id', () => {
      const known = new Set([...Object.keys(configuration.properties), ...commands.map(({ command }) => command)]);
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
        links.filter((link) => (link.startsWith('#') ? !anchors.has(link.slice(1)) : !existsSync(link))),
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

describe('README.md', () => {
  it('names only tools for agents that there are', () => {
    const tools = manifest.contributes.languageModelTools.map(({ toolReferenceName }) => toolReferenceName);
    assert.deepEqual(
      all(readme, /`#(\w+)`/g).filter((name) => !tools.includes(name)),
      [],
    );
  });

  it('calls what one presses as it is called', () => {
    const shown = JSON.stringify([texts, JSON.parse(readFileSync('l10n/bundle.l10n.json', 'utf8'))]);
    assert.deepEqual(
      all(readme, /\*\*(.+?)\*\*/g).filter((name) => !name.endsWith('.') && !shown.includes(name)),
      [],
    );
  });

  it('gives settings the defaults that they have', () => {
    const defaults = Object.entries(configuration.properties).map(([id, { default: value }]) => [
      id,
      JSON.stringify(value),
    ]);
    const rows = table(readme, 'Settings').map(([setting, byDefault]) => [setting, byDefault]);
    assertRows(
      rows,
      defaults.filter(([id]) => rows.some(([setting]) => setting === id)),
    );
  });

  it('names only keys that there are', () => {
    const capitals = (text: string): string => text.replaceAll(/\b[a-z]/g, (c) => c.toUpperCase());
    const names = keybindings.map(({ key, mac }) => capitals(`${key} (macOS: ${mac})`));
    const told = table(readme, 'Keys').map(([keys = '']) => capitals(keys));
    assert.deepEqual(
      // The others are those of the editor itself.
      told.filter((keys) => keys.includes('MacOS') && !names.includes(keys)),
      [],
    );
  });

  it('is shown only the rows that differ', () => {
    assert.deepEqual(differingRows([['a', '1'], ['b'], ['c']], [['a', '1'], ['d']]), [
      { shown: '| b |', expected: '| d |' },
      { shown: '| c |', expected: 'no row' },
    ]);
  });
});

describe('The reference in docs/', () => {
  it('says what the code says: npm run docs', () => {
    for (const [file, text] of Object.entries(referencePages())) assert.equal(papers[file], text, file);
  });

  it('has every rule and every way to fail once', () => {
    const codes = (file: string): readonly string[] => all(papers[file] ?? '', /^\| `(.+?)`/gm).toSorted();
    assert.deepEqual(codes('docs/rules.md'), ruleCatalog.map(({ code }) => code).toSorted());
    assert.deepEqual(codes('docs/error-codes.md'), [...failureCodes].toSorted());
  });
});
