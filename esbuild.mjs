// Builds all bundles: `node esbuild.mjs [--production] [--watch] [--tests]`.
//   dist/            what ships: the extension and its on-demand chunks, the extension for browsers,
//                   the command line, the details page,
//                   the request schema in other languages, and what the packages hold besides code: README, licenses and
//                   bills of materials, the command's own as dist/cli.*
//   out/test/        (--tests) unit, page and host tests, every *.test.ts by glob; those of the workbench run from their sources
import { cpSync, globSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { basename, relative, resolve } from 'node:path';
import { context } from 'esbuild';
import { packagedReadme } from './media/package/packagedReadme.ts';
import { softwareBill } from './media/package/softwareBill.ts';
import { thirdPartyNotices } from './media/package/thirdPartyNotices.ts';
import { requestValidatorPlugin } from './media/schemas/requestValidator.ts';
import { translatedSchemaPlugin } from './media/schemas/translatedSchema.ts';

const flags = new Set(process.argv.slice(2));
const production = flags.has('--production');
const watch = flags.has('--watch');
const unknown = [...flags].find((flag) => !['--production', '--watch', '--tests'].includes(flag));
if (unknown) {
  console.error(`esbuild.mjs: unknown argument ${unknown}; it takes --production, --watch and --tests`);
  process.exit(2);
}

/** Settings that every bundle shares. @type {import('esbuild').BuildOptions} */
const shared = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'linked',
  // The licenses of what is bundled stand in one file of their own.
  legalComments: 'none',
  metafile: true,
  // Packages are called by their place in node_modules, even where that is a link to another folder.
  preserveSymlinks: true,
  target: 'node22',
  logLevel: 'warning',
  // The domain's strings come from a bundle that the host hands over; the Node build of l10n would read files.
  // jsonc-parser's main file finds its parts by a require() that nobody can follow.
  alias: {
    '@vscode/l10n': './node_modules/@vscode/l10n/dist/browser.js',
    'jsonc-parser': './node_modules/jsonc-parser/lib/esm/main.js',
  },
  plugins: [requestValidatorPlugin],
  // The editor may define a global `define`, to which papaparse would export itself instead of to its importer.
  define: { define: 'undefined' },
};

/**
 * Bundled CommonJS packages call require() for Node's own modules, which an ES module does not have: they get an import.
 * @type {import('esbuild').Plugin}
 */
const nodeRequires = {
  name: 'node-requires',
  setup(build) {
    build.onResolve({ filter: /^[a-z]/ }, ({ kind, path }) =>
      kind === 'require-call' && isBuiltin(path) ? { path, namespace: 'node-requires' } : undefined,
    );
    build.onLoad({ filter: /^/, namespace: 'node-requires' }, ({ path }) => ({
      contents: `import whole from ${JSON.stringify(path)}; export { whole as 'module.exports' };`,
    }));
  },
};

/**
 * A path as it is called below the repository's folder, the same wherever that lies.
 * @param {string} path absolute
 * @returns {string}
 */
const fromRoot = (path) => String(relative(process.cwd(), path)).replaceAll('\\', '/');

/**
 * Keeps the extension in one chunk. esbuild splits by the set of entry points that need a module, and each dynamic import is an entry
 * point, so the code for activation would become dozens of files. Making each dynamic import depend on the extension, which has
 * always been loaded by then, puts all of the extension into the same set.
 * @type {import('esbuild').Plugin}
 */
const singleChunk = {
  name: 'single-chunk',
  setup(build) {
    build.onResolve({ filter: /^\..*\.ts$/ }, ({ kind, path, resolveDir }) =>
      kind === 'dynamic-import' ? { path: fromRoot(resolve(resolveDir, path)), namespace: 'single-chunk' } : undefined,
    );
    // Chunk names are hashes of module paths and contents, so paths must be relative to the repository.
    build.onLoad({ filter: /^/, namespace: 'single-chunk' }, ({ path }) => ({
      contents: `import './src/extension.ts'; export * from ${JSON.stringify(`./${path}`)};`,
      resolveDir: process.cwd(),
    }));
  },
};

/** ES modules for Node that share chunks, so that what is loaded on demand stays a file of its own. */
const nodeModules = {
  ...shared,
  platform: 'node',
  format: 'esm',
  splitting: true,
  plugins: [...shared.plugins, nodeRequires],
};

const { version: productVersion, repository } = JSON.parse(readFileSync('package.json', 'utf8'));

/** Its main file finds its parts by a require() that nobody can follow, too. */
const jsonService = {
  'vscode-json-languageservice': './node_modules/vscode-json-languageservice/lib/esm/jsonLanguageService.js',
};

/** @type {import('esbuild').BuildOptions[]} */
const bundles = [
  {
    ...nodeModules,
    entryPoints: { extension: 'src/extension.ts' },
    outdir: 'dist',
    chunkNames: 'chunks/[name]-[hash]',
    external: ['vscode'],
    plugins: [...nodeModules.plugins, singleChunk],
  },
  {
    // The host of a browser takes no ES modules, and a single file.
    ...shared,
    entryPoints: { web: 'src/web/webExtension.ts' },
    outdir: 'dist',
    outExtension: { '.js': '.cjs' },
    platform: 'browser',
    format: 'cjs',
    target: 'es2023',
    external: ['vscode'],
  },
  {
    // One file, which also runs where the package of the command is installed. Older versions of Node understand its syntax, and are told
    // what it needs.
    ...nodeModules,
    entryPoints: { cli: 'src/cli/cli.ts' },
    outdir: 'dist',
    splitting: false,
    target: 'node20',
    // Its packages get a require() that starts Node's modules only where they are needed: imports would start all of them, always.
    plugins: shared.plugins,
    banner: {
      js: [
        "import { createRequire as makeRequire } from 'node:module';",
        'if (parseInt(process.versions.node, 10) < 22) {',
        "  console.error('transcription-requests needs Node 22 or newer; this is ' + process.version);",
        '  process.exit(2);',
        '}',
        'const require = makeRequire(import.meta.url);',
      ].join('\n'),
    },
    define: { ...shared.define, productVersion: JSON.stringify(productVersion) },
    alias: { ...shared.alias, ...jsonService },
  },
  {
    ...shared,
    entryPoints: globSync('media/{page,board}/*.page.ts').map((path) => ({ in: path, out: basename(path, '.ts') })),
    outdir: 'dist/page',
    platform: 'browser',
    format: 'iife',
    target: 'es2023',
  },
  {
    logLevel: shared.logLevel,
    // `schema.l10n.fr.json` becomes `request.schema.fr.json`, as package.nls.fr.json calls it.
    entryPoints: ['media/schemas/request.schema.json', ...globSync('l10n/schema.l10n.*.json')].map((path) => ({
      in: path,
      out: basename(path, '.json').replace('schema.l10n', 'request.schema'),
    })),
    outdir: 'dist/schemas',
    plugins: [translatedSchemaPlugin],
  },
];

if (flags.has('--tests')) {
  /** As in what ships. @type {import('esbuild').Plugin} */
  const bundledTables = {
    name: 'bundled-tables',
    setup: (build) =>
      build.onResolve({ filter: /^papaparse$/ }, ({ path }) => ({
        path: createRequire(import.meta.url).resolve(path),
      })),
  };
  const tests = {
    ...nodeModules,
    minify: false,
    sourcemap: 'linked',
    packages: 'external',
    alias: {},
    metafile: false,
    plugins: [...nodeModules.plugins, bundledTables],
  };
  bundles.push(
    {
      ...tests,
      entryPoints: globSync('test/{unit,release}/**/*.test.ts'),
      outdir: 'out/test',
      outbase: 'test',
    },
    {
      ...tests,
      entryPoints: ['test/host/run.ts', ...globSync('test/host/**/*.test.ts')],
      outdir: 'out/test/host',
      outbase: 'test/host',
      format: 'cjs',
      splitting: false,
      outExtension: { '.js': '.cjs' },
      external: ['vscode'],
    },
    {
      ...tests,
      entryPoints: globSync('test/page/**/*.test.ts'),
      outdir: 'out/test/page',
      outbase: 'test/page',
      // The code that feeds pages runs without an editor.
      alias: { vscode: './test/support/page/editorStub.ts' },
      logOverride: { 'import-is-undefined': 'silent' },
    },
  );
  rmSync('out/test', { recursive: true, force: true });
  // Tests may write to the folder that is open; started from the editor itself they get this copy.
  cpSync('test/fixtures/workspace', 'out/test/workspace', { recursive: true });
}
rmSync('dist', { recursive: true, force: true });
if (watch) reportBuilds();

const contexts = await Promise.all(bundles.map((options) => context(options)));
if (watch) {
  await Promise.all(contexts.map((each) => each.watch()));
} else {
  const results = await Promise.allSettled(contexts.map((each) => each.rebuild()));
  await Promise.all(contexts.map((each) => each.dispose()));
  if (results.some((result) => result.status === 'rejected')) process.exit(1);
  const metafiles = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value.metafile ?? []) : []));
  const isCommand = ({ outputs }) => 'dist/cli.js' in outputs;
  writeNoticesAndSbom('dist/', 'transcription-jobs', (metafile) => !isCommand(metafile));
  writeNoticesAndSbom('dist/cli.', 'transcription-requests', isCommand);
  /** Writes what names the code in a package: the extension's and the command's include different bundles. */
  function writeNoticesAndSbom(prefix, name, includes) {
    const included = metafiles.filter(includes);
    writeFileSync(`${prefix}THIRD_PARTY_NOTICES.txt`, thirdPartyNotices(included, process.cwd()));
    writeFileSync(`${prefix}sbom.cdx.json`, softwareBill(included, process.cwd(), { name, version: productVersion }));
  }
  /** @type {Record<string, string>} */
  const pages = {};
  for (const name of readdirSync('docs')) pages[`docs/${name}`] = readFileSync(`docs/${name}`, 'utf8');
  const readme = readFileSync('README.md', 'utf8');
  writeFileSync('dist/README.md', packagedReadme({ readme, pages, repository: repository?.url ?? repository }));
}

/** Reports when building begins and when all is built, in the words that the task "watch" of `.vscode/tasks.json` waits for. */
function reportBuilds() {
  const building = new Set(bundles);
  console.log('build started');
  for (const options of bundles) {
    /** @type {import('esbuild').Plugin} */
    const reporter = {
      name: 'builds',
      setup(build) {
        build.onStart(() => {
          if (building.size === 0) console.log('build started');
          building.add(options);
        });
        build.onEnd(() => {
          building.delete(options);
          if (building.size === 0) console.log('build finished');
        });
      },
    };
    options.plugins = [...(options.plugins ?? []), reporter];
  }
}
