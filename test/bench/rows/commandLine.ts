import { strict as assert } from 'node:assert';
import { spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { ruleCodes } from '../../../src/language/check.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { LanguageClient } from '../../support/command/languageClient.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import type { Row } from '../outcome.ts';
import { smallRequest } from '../requests/requestTexts.ts';
import { timed } from '../timed.ts';

const files = 1000;

const whySlower =
  'ajv-cli validates the schema and says one word about each file. The floor is the command without its rules, below: it reads, finds the ' +
  'places of all values and validates. The rest is some fifty rules and what they report of each file: five findings with their fixes, places ' +
  'and lines of text. Tried and kept: lines are written as they come, so that no request is kept. Tried and left: ' +
  'compiled code that Node keeps on the disk saves 40 ms of a start, and writes to the disks of users.';

const why =
  'Three times a bare start of Node is out of reach for one file on vscode-languageserver: a server of that library that does nothing takes 2.4 to ' +
  '2.7 times, and without all that hovers, completion and fixes need (165 KB of 550) ours still takes 3.8. So it is measured against that empty ' +
  'server; the rest is compiling and running the rules. Tried and kept: what hovers and completion need, the names of languages among it, is run ' +
  "when it is first asked for. Tried and not kept: CommonJS, and starting Node's modules late, which gain less than a twentieth.";

/** A server of the same library without functions, bundled into one file like the product's server. */
const emptyServer = `
import { createConnection, ProposedFeatures, TextDocuments, TextDocumentSyncKind } from 'vscode-languageserver/node';
import { TextDocument } from 'vscode-languageserver-textdocument';
const connection = createConnection(ProposedFeatures.all, process.stdin, process.stdout);
const documents = new TextDocuments(TextDocument);
connection.onInitialize(() => ({ capabilities: { textDocumentSync: TextDocumentSyncKind.Incremental } }));
documents.onDidOpen(({ document: { uri, version } }) => void connection.sendDiagnostics({ uri, version, diagnostics: [] }));
documents.listen(connection);
connection.listen();`;

/** Checks many files from the command line, compared with validators from npm, and starts the language server. */
export const row: Row = async ({ quick, builtRoot, peers }) => {
  const { path: folder, remove } = temporaryFolder();
  const script = join(builtRoot, 'dist/cli.js');
  const requests = join(folder, 'requests');
  mkdirSync(requests);
  const text = smallRequest();
  for (let index = 0; index < files; index++) writeFileSync(join(requests, `${index}.transcription.json`), text);
  // Other tools reject unknown keywords.
  const schema = join(folder, 'schema.json');
  writeFileSync(schema, readFileSync(join(repositoryRoot, 'media/schemas/request.schema.json')));
  const pattern = 'requests/*.transcription.json';
  const noRules = join(folder, 'noRules.json');
  writeFileSync(noRules, JSON.stringify(Object.fromEntries([...ruleCodes].map((code) => [code, 'off']))));
  const run = (tool: string, ...args: readonly string[]): string => {
    // To a file, because a tool that exits while a pipe is full loses the rest.
    const path = join(folder, 'output.txt');
    const output = openSync(path, 'w');
    const { status } = spawnSync(process.execPath, [tool, ...args], { cwd: folder, stdio: ['ignore', output, output] });
    closeSync(output);
    const said = readFileSync(path, 'utf8');
    assert(status === 0, said);
    return said;
  };
  const tools = {
    ours: () => run(script, 'check', '--no-settings', pattern),
    withoutRules: () => run(script, 'check', '--no-settings', '--rules', noRules, pattern),
    ajvCli: () =>
      run(join(peers, 'node_modules/ajv-cli/dist/index.js'), 'validate', '--strict=false', '-s', schema, '-d', pattern),
    v8r: () => run(join(peers, 'node_modules/v8r/src/index.js'), '--schema', schema, pattern),
  };
  // All of them have read every file, and the product has found more than types.
  assert.equal(new Set(tools.ours().match(/\d+\.transcription\.json/gu)).size, files);
  assert.match(tools.withoutRules(), /1000 files checked; no problems/u);
  assert.equal(tools.ajvCli().match(/ valid$/gmu)?.length, files);
  const v8rMs = performance.now();
  assert.equal(tools.v8r().match(/is valid$/gmu)?.length, files);
  // Once: it takes half a minute.
  const v8r = [performance.now() - v8rMs];
  const checks = await alternate(
    {
      ours: async () => void tools.ours(),
      withoutRules: async () => void tools.withoutRules(),
      ajvCli: async () => void tools.ajvCli(),
    },
    { rounds: quick ? 3 : 21, warmUps: 1 },
  );
  const uri = pathToFileURL(join(requests, '0.transcription.json')).href;
  const empty = join(folder, 'empty.mjs');
  await buildServer(emptyServer, empty);
  const untilFindings = async (server: string): Promise<number> => {
    const startMs = performance.now();
    const client = await LanguageClient.start(server);
    await client.open(uri, text);
    const ms = performance.now() - startMs;
    await client.stop();
    return ms;
  };
  const starts = await alternate(
    {
      server: () => untilFindings(script),
      empty: () => untilFindings(empty),
      bare: async () => void spawnSync(process.execPath, ['-e', '0']),
    },
    { rounds: quick ? 7 : 21, warmUps: 2 },
  );
  remove();
  return [
    {
      title: 'Check many files',
      measured: `the command, all rules, ${files.toLocaleString('en')} files of ${(text.length / 1024).toFixed(1)} KB, against ajv-cli, which validates their schema alone`,
      value: medianRatio(checks.ours, checks.ajvCli),
      unit: '×',
      atMost: 2,
      limit: whySlower,
      facts: [
        timed('transcription-requests check', checks.ours),
        timed('the same with all rules off', checks.withoutRules),
        timed('ajv-cli', checks.ajvCli),
        timed('v8r', v8r),
      ],
    },
    {
      title: 'Start of the language server',
      measured:
        'from starting its process to the first diagnostics of a file, against a server of the same library that does nothing',
      value: medianRatio(starts.server, starts.empty),
      unit: '×',
      atMost: 2,
      facts: [
        timed('language server', starts.server),
        timed('empty server', starts.empty),
        timed('node -e 0', starts.bare),
      ],
      limit: why,
    },
  ];
};

/** Builds a server as `esbuild.mjs` builds ours: one module for Node. */
async function buildServer(source: string, outfile: string): Promise<void> {
  await build({
    stdin: { contents: source, resolveDir: repositoryRoot },
    outfile,
    bundle: true,
    minify: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    legalComments: 'none',
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
  });
}
