import assert from 'node:assert/strict';
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import { packagedReadme } from '../../../media/package/packagedReadme.ts';
import { softwareBill } from '../../../media/package/softwareBill.ts';
import { thirdPartyNotices } from '../../../media/package/thirdPartyNotices.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { parseSources } from '../../support/sources/parseSources.ts';
import { projectSources } from '../../support/sources/projectSources.ts';
import { moduleImports } from './moduleImports.ts';

/**
 * Packages that the product's modules import; those used only in the build are in `media/package` and `media/schemas`.
 */
function importedPackages(): ReadonlySet<string> {
  const shipped = [...projectSources()].filter(([path]) => !/^media\/(?:package|schemas)\//.test(path));
  const specifiers = [...parseSources(new Map(shipped)).values()].flatMap((tree) => [...moduleImports(tree)]);
  const packages = specifiers.filter((specifier) => /^(?:@[\w-]+\/)?[\w-]+(?:\/|$)/.test(specifier));
  return new Set(
    packages.map((specifier) => /^(?:@[\w-]+\/)?[\w-]+/.exec(specifier)?.[0] ?? '').filter((name) => name !== 'vscode'),
  );
}

describe('The bill of materials', () => {
  for (const [what, prefix] of [
    ['the extension', 'dist/'],
    ['the command', 'dist/cli.'],
  ] as const) {
    it(`of ${what} names every package whose licence stands in its notices, once`, () => {
      const { components } = readBill(`${prefix}sbom.cdx.json`);
      const notices = readFileSync(`${prefix}THIRD_PARTY_NOTICES.txt`, 'utf8');
      const noticed = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+): /gm)].map(([, name, its]) => `${name} ${its}`);
      assert(noticed.length > 5);
      assert.deepEqual(
        components.map(({ name, version }) => `${name} ${version}`).toSorted(),
        [...new Set(noticed)].toSorted(),
      );
      assert.equal(new Set(components.map(({ purl }) => purl)).size, components.length);
    });

    it(`of ${what} has for each of them a licence, and the hash that npm checks it against`, () => {
      const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
        readonly packages: Readonly<Record<string, { readonly version?: string; readonly integrity?: string }>>;
      };
      const locked = new Set(
        Object.entries(packages).map(
          ([folder, { version, integrity }]) => `${folder.replace(/^.*node_modules\//, '')} ${version} ${integrity}`,
        ),
      );
      for (const { name, version, hashes, licenses } of readBill(`${prefix}sbom.cdx.json`).components) {
        assert.equal(hashes?.[0]?.alg, 'SHA-512', name);
        const integrity = Buffer.from(hashes[0].content, 'hex').toString('base64');
        assert(locked.has(`${name} ${version} sha512-${integrity}`), name);
        assert.equal(licenses?.length, 1, name);
      }
    });
  }

  it('names only what the archive holds', () => {
    const names = (file: string): readonly string[] => readBill(file).components.map(({ name }) => name);
    assert(names('dist/sbom.cdx.json').includes('got') && !names('dist/cli.sbom.cdx.json').includes('got'));
    assert(names('dist/cli.sbom.cdx.json').includes('vscode-languageserver'));
    assert(!names('dist/sbom.cdx.json').includes('vscode-languageserver'));
  });

  it('says of licences what a package says: an identifier, an expression, a name, or nothing', () => {
    const { path: root, remove } = temporaryFolder();
    after(remove);
    const said = ['MIT', '(MIT OR CC0-1.0)', 'SEE LICENSE IN terms.txt', undefined];
    const inputs = said.map((license, index) => {
      const folder = join(root, 'node_modules', `p${index}`);
      mkdirSync(folder, { recursive: true });
      writeFileSync(join(folder, 'package.json'), JSON.stringify({ name: `p${index}`, version: '1.0.0', license }));
      return [`node_modules/p${index}/a.js`, { bytesInOutput: 1 }] as const;
    });
    const output = { bytes: 0, inputs: Object.fromEntries(inputs), imports: [], exports: [] };
    const bill = softwareBill([{ inputs: {}, outputs: { 'dist/a.js': output } }], root, {
      name: 'a',
      version: '1.0.0',
    });
    const { components } = JSON.parse(bill) as Bill;
    assert.deepEqual(
      components.map(({ licenses }) => licenses),
      [
        [{ license: { id: 'MIT' } }],
        [{ expression: '(MIT OR CC0-1.0)' }],
        [{ license: { name: 'SEE LICENSE IN terms.txt' } }],
        undefined,
      ],
    );
  });
});

interface Bill {
  readonly components: readonly {
    readonly name: string;
    readonly version: string;
    readonly purl: string;
    readonly hashes?: readonly { readonly alg: string; readonly content: string }[];
    readonly licenses?: readonly object[];
  }[];
}

function readBill(file: string): Bill {
  return JSON.parse(readFileSync(file, 'utf8')) as Bill;
}

describe('The notices of third parties', () => {
  const { path: root, remove } = temporaryFolder();
  after(remove);
  const put = (file: string, content: string): void => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), content);
  };
  const notices = (inputs: Readonly<Record<string, number>>): string => {
    const bytes = Object.entries(inputs).map(([file, bytesInOutput]) => [file, { bytesInOutput }] as const);
    const output = { bytes: 0, inputs: Object.fromEntries(bytes), imports: [], exports: [] };
    return thirdPartyNotices([{ inputs: {}, outputs: { 'dist/a.js': output } }], root);
  };

  it('name what is in the bundles: packages within packages and scopes too, our own files not', () => {
    const [a, b] = ['node_modules/a', 'node_modules/a/node_modules/@s/b'];
    put(`${a}/package.json`, '{"name":"a","version":"1.0.0","license":"MIT"}');
    put(`${a}/LICENSE.md`, 'Do as you like.\r\nReally.');
    put(`${b}/package.json`, '{"name":"@s/b","version":"2.0.0","license":"ISC"}');
    put(`${b}/license`, 'As you like, too.');
    const text = notices({ [`${a}/lib/x.js`]: 5, [`${a}/y.js`]: 5, [`${b}/z.js`]: 1, 'src/extension.ts': 9 });
    assert.equal([...text.matchAll(/^-{80}$/gm)].length, 2);
    assert.match(text, /^a 1\.0\.0: MIT\n\nDo as you like\.\nReally\.$/m);
    assert.match(text, /^@s\/b 2\.0\.0: ISC\n\nAs you like, too\.$/m);
  });

  it('have the text of each licence: a package that comes without one is refused, unless its text is here', () => {
    const [silent, known] = ['node_modules/silent', 'node_modules/@vscode/l10n'];
    put(`${silent}/package.json`, '{"name":"silent","version":"1.0.0","license":"MIT"}');
    put(`${known}/package.json`, '{"name":"@vscode/l10n","version":"1.0.0","license":"MIT"}');
    put('media/package/licences/vscode-l10n.txt', 'MIT License');
    assert.throws(() => notices({ [`${silent}/x.js`]: 1 }), /silent has no licence text/);
    assert.match(notices({ [`${known}/x.js`]: 1 }), /l10n 1\.0\.0: MIT\n\nMIT License$/m);
  });

  it('leave out what no bundle has kept', () => {
    assert.doesNotMatch(notices({ 'node_modules/a/x.js': 0 }), /MIT/);
  });

  it('name every package that the product imports', () => {
    const text = ['dist/', 'dist/cli.']
      .map((prefix) => readFileSync(`${prefix}THIRD_PARTY_NOTICES.txt`, 'utf8'))
      .join('\n');
    const imported = importedPackages();
    assert(imported.has('got') && imported.has('jsonc-parser') && imported.has('lit'));
    // The bundle contains none of lit's own package, which only re-exports lit-html.
    const holders: Readonly<Record<string, string>> = { lit: 'lit-html' };
    assert.deepEqual(
      [...imported].filter((name) => !text.includes(`\n${holders[name] ?? name} `)),
      [],
    );
    // A dependency of got.
    assert.match(text, /^keyv \d/m);
  });
});

describe('The README of the package', () => {
  const repository = 'https://example.com/owner/name';

  it('has no pictures without a repository, and nothing of the repository alone', () => {
    const readme =
      'A\n\n<picture>\n  <img src="x.png" alt="x">\n</picture>\n\nB\n\n<!-- repository only -->\n\nC\n\n<!-- /repository only -->\n\nD\n';
    assert.equal(packagedReadme({ readme, pages: {} }), 'A\n\nB\n\nD\n');
    assert.equal(packagedReadme({ readme, pages: {}, repository: '' }), 'A\n\nB\n\nD\n');
  });

  it('has pictures and pages at absolute addresses in the repository', () => {
    const readme =
      'A\n\n<picture>\n  <source media="dark" srcset="m/x-dark.png">\n  <img src="m/x.png" alt="An X">\n</picture>\n\nSee [b](docs/b.md).\n';
    const expected = `A\n\n![An X](${repository}/raw/HEAD/m/x.png)\n\nSee [b](${repository}/blob/HEAD/docs/b.md).\n`;
    const pages = { 'docs/b.md': '# B\n' };
    for (const given of [repository, `git+${repository}.git`, `${repository}/`])
      assert.equal(packagedReadme({ readme, pages, repository: given }), expected, given);
    for (const given of ['git@example.com:owner/name.git', 'http://example.com/owner/name', 'owner/name'])
      assert.throws(() => packagedReadme({ readme, pages, repository: given }), /https address/, given);
    assert.throws(() => packagedReadme({ readme, pages: {}, repository }), /docs\/b\.md/);
  });

  it('has the pages that it leads to as chapters without a repository', () => {
    const pages = { 'docs/a-b.md': '# A, b\n\n<!-- generated -->\n\n## C\n', 'docs/other.md': '# Other\n' };
    assert.equal(
      packagedReadme({ readme: 'See [a](docs/a-b.md), [again](docs/a-b.md).\n', pages }),
      'See [a](#a-b), [again](#a-b).\n\n## A, b\n\n### C\n',
    );
    assert.throws(() => packagedReadme({ readme: '[c](docs/c.md)', pages }), /docs\/c\.md/);
  });

  it('leads from chapter to chapter', () => {
    const pages = { 'docs/a.md': '# A\n\nSee [b](b.md).\n', 'docs/b.md': '# B\n' };
    assert.equal(
      packagedReadme({ readme: '[a](docs/a.md) [b](docs/b.md)', pages }),
      '[a](#a) [b](#b)\n\n## A\n\nSee [b](#b).\n\n## B\n',
    );
    assert.throws(() => packagedReadme({ readme: '[a](docs/a.md)', pages }), /b\.md/);
  });

  it('leaves code in chapters as it is', () => {
    const code = '```sh\n# a comment\n~~~\n```\n\n~~~\n# another\n~~~\n';
    assert.equal(
      packagedReadme({ readme: '[a](docs/a.md)', pages: { 'docs/a.md': `# A\n\n${code}\n## B\n` } }),
      `[a](#a)\n\n## A\n\n${code}\n### B\n`,
    );
  });

  it('leads only to what the reader of a package can open, with a repository and without', () => {
    const readme = readFileSync('README.md', 'utf8');
    const pages = Object.fromEntries(
      globSync('docs/*.md').map((path) => [path.replaceAll('\\', '/'), readFileSync(path, 'utf8')]),
    );
    const [bare, published] = ['', repository].map((given) => packagedReadme({ readme, pages, repository: given }));
    assert(bare !== undefined && published !== undefined);
    assert(bare.includes('\n## Rules for request files\n') && bare.includes('\n## Error codes\n'));
    assert(!bare.includes('!['));
    assert.equal(published.split(`](${repository}/raw/HEAD/media/screenshots/`).length, 1 + 3);
    for (const text of [bare, published, readFileSync('dist/README.md', 'utf8')]) {
      const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]*)"/g)].map(
        ([, link, attribute]) => link ?? attribute ?? '',
      );
      assert.deepEqual(
        targets.filter((target) => !/^(?:https:|#)/.test(target)),
        [],
      );
      assert.doesNotMatch(text, /repository only|<img|<picture|npm start|CONTRIBUTING/);
    }
  });

  it('is marked in the repository where it differs', () => {
    const readme = readFileSync('README.md', 'utf8');
    const count = (mark: string): number => readme.split(mark).length - 1;
    assert(count('<!-- repository only -->') > 0);
    assert.equal(count('<!-- repository only -->'), count('<!-- /repository only -->'));
    assert(existsSync('dist/README.md'), 'npm run build makes it');
  });
});
