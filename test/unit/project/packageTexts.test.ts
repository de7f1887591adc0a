import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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
  it('names every package whose licence stands in the notices, once', () => {
    const bill = JSON.parse(readFileSync('dist/sbom.cdx.json', 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string; readonly purl: string }[];
    };
    const notices = readFileSync('dist/THIRD_PARTY_NOTICES.txt', 'utf8');
    const noticed = [...notices.matchAll(/^-{80}\n\n(\S+) (\S+): /gm)].map(([, name, version]) => `${name} ${version}`);
    assert(noticed.length > 5);
    assert.deepEqual(
      bill.components.map(({ name, version }) => `${name} ${version}`).toSorted(),
      [...new Set(noticed)].toSorted(),
    );
    assert.equal(new Set(bill.components.map(({ purl }) => purl)).size, bill.components.length);
  });

  it('is the same for the same bundles', () => {
    assert.equal(softwareBill([], '.', '1.0.0'), softwareBill([], '.', '1.0.0'));
  });
});

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
    put(`${b}/package.json`, '{"name":"@s/b","version":"2.0.0","license":"ISC","author":{"name":"Someone"}}');
    const text = notices({ [`${a}/lib/x.js`]: 5, [`${a}/y.js`]: 5, [`${b}/z.js`]: 1, 'src/extension.ts': 9 });
    assert.equal([...text.matchAll(/^-{80}$/gm)].length, 2);
    assert.match(text, /^a 1\.0\.0: MIT\n\nDo as you like\.\nReally\.$/m);
    assert.match(text, /^@s\/b 2\.0\.0: ISC\n\nBy Someone\.$/m);
  });

  it('leave out what no bundle has kept', () => {
    assert.doesNotMatch(notices({ 'node_modules/a/x.js': 0 }), /MIT/);
  });

  it('name every package that the product imports', () => {
    const text = readFileSync('dist/THIRD_PARTY_NOTICES.txt', 'utf8');
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
  it('has no pictures, and nothing of the repository alone', () => {
    const text =
      'A\n\n<picture>\n  <img src="x.png">\n</picture>\n\nB\n\n<!-- repository only -->\n\nC\n\n<!-- /repository only -->\n\nD\n';
    assert.equal(packagedReadme(text, {}), 'A\n\nB\n\nD\n');
  });

  it('has the pages that it leads to as chapters', () => {
    const pages = { 'docs/a-b.md': '# A, b\n\n<!-- generated -->\n\n## C\n', 'docs/other.md': '# Other\n' };
    assert.equal(
      packagedReadme('See [a](docs/a-b.md), [again](docs/a-b.md).\n', pages),
      'See [a](#a-b), [again](#a-b).\n\n## A, b\n\n### C\n',
    );
    assert.throws(() => packagedReadme('[c](docs/c.md)', pages), /docs\/c\.md/);
  });

  it('leads only to what the reader of a package can open', () => {
    const text = readFileSync('dist/README.md', 'utf8');
    assert(text.includes('\n## Rules for request files\n') && text.includes('\n## Error codes\n'));
    const targets = [...text.matchAll(/\]\(([^)\s]+)\)|(?:src|srcset|href)="([^"]*)"/g)].map(
      ([, link, attribute]) => link ?? attribute ?? '',
    );
    assert.deepEqual(
      targets.filter((target) => !/^(?:https:|#)/.test(target)),
      [],
    );
    assert.doesNotMatch(text, /repository only|<img|npm start|CONTRIBUTING/);
  });

  it('is marked in the repository where it differs', () => {
    const readme = readFileSync('README.md', 'utf8');
    const count = (mark: string): number => readme.split(mark).length - 1;
    assert(count('<!-- repository only -->') > 0);
    assert.equal(count('<!-- repository only -->'), count('<!-- /repository only -->'));
    assert(existsSync('dist/README.md'), 'npm run build makes it');
  });
});
