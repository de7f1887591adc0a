import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { runCli } from '../../../src/cli/runCli.ts';
import { schemaCodes, syntaxCodes } from '../../../src/language/request/jsonFindings.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const { path: folder, remove } = temporaryFolder();
after(remove);

const texts = {
  good: '{"audio_url": "https://media.example.com/a.mp3"}',
  odd: '\uFEFF{\r\n  "audio_url": "https://media.example.com/ü😀.mp3", "diarisation": true\r\n}',
  wrong: '{"audio_url": 1}',
  old: '{"audio_url": "https://media.example.com/a.mp3", "language": "fr"}',
  signed: '{"audio_url": "https://media.example.com/a.mp3?expires=1700000000"}',
  twice:
    '\uFEFF{\r\n  "audio_url": "https://media.example.com/a.mp3", // note\r\n  "language_config": { "languages": ["en", "fr", "en"] }\r\n}',
};
const file = (name: keyof typeof texts) => `a b/${name}.transcription.json`;

function put(name: string, text: string | Uint8Array): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
}

beforeEach(() => {
  rmSync(folder, { recursive: true, force: true });
  // The root of a repository: settings above it do not apply.
  mkdirSync(join(folder, '.git'), { recursive: true });
  for (const [name, text] of Object.entries(texts)) put(`a b/${name}.transcription.json`, text);
});

const run = async (...given: readonly string[]) => runWith(false, given);

async function runWith(isTerminal: boolean, given: readonly string[]) {
  let out = '';
  let complaints = '';
  const code = await runCli(given, {
    isTerminal,
    folder,
    version: '1.2.3',
    check: schemaErrors,
    now: () => 0,
    env: {},
    out: { write: (text) => (out += text) },
    complaints: { write: (text) => (complaints += text) },
  });
  return { code, out, complaints };
}

test('exits with 0 without findings, and with warnings only', async () => {
  assert.deepEqual(await run('check', file('good')), {
    code: 0,
    out: '',
    complaints: 'transcription-requests: 1 file checked; no problems\n',
  });
  const { code, out, complaints } = await run('check', file('odd'), file('good'));
  assert.equal(code, 0);
  assert.equal(
    complaints,
    'transcription-requests: 2 files checked; 1 warning in 1 file; 1 has a fix to choose in an editor\n',
  );
  assert.equal(
    out,
    'a b/odd.transcription.json:2:53: warning: Unknown field "diarisation". Did you mean "diarization"? [fields/misspelt]\n',
  );
});

test('exits with 1 on errors, and on more warnings than the max', async () => {
  const { code, out } = await run('check', file('good'), file('wrong'));
  assert.equal(code, 1);
  assert.equal(out, 'a b/wrong.transcription.json:1:15: error: audio_url must be a string. [schema/type]\n');
  assert.equal((await run('check', file('odd'), '--max-warnings', '1')).code, 0);
  const many = await run('check', file('odd'), '--max-warnings=0');
  assert.equal(many.code, 1);
  assert.match(many.complaints, /^transcription-requests: 1 warning; at most 0 are allowed$/mu);
});

test('exits with 2 on invalid usage and on unreadable files, and describes what to do', async () => {
  put('latin.transcription.json', Uint8Array.of(0x22, 0xe9, 0x22));
  for (const [given, complaint] of [
    [[], 'no command; try --help'],
    [['lint'], 'unknown command lint; there are check, fix'],
    [['check', '--format', 'xml', 'a'], 'unknown format xml; there are text'],
    [['check', '--format'], "Option '--format <value>' argument missing"],
    [['check', '--service', 'acme', 'a'], 'unknown service acme'],
    [['check', '--dry-run', 'a'], 'check takes no --dry-run'],
    [['fix', '--max-warnings', '1', 'a'], 'fix takes no --max-warnings'],
    [['fix', '--format', 'json', 'a'], 'fix takes no --format'],
    [['check', '--fixes', 'a'], 'unknown option --fixes; the nearest is --fix, and --help lists all'],
    [['check', '--frmat', 'sarif'], 'unknown option --frmat; the nearest is --format, and --help lists all'],
    [['check', '--max-warnings', 'some'], '--max-warnings must be a whole number'],
    [['check', 'missing.json'], 'ENOENT'],
    [['check', 'none/*.json'], 'no file matches none/*.json'],
    [['check', '.git'], 'there is no request file (*.transcription.json) below .git'],
    [['check', 'latin.transcription.json'], 'latin.transcription.json is not UTF-8'],
    [['effect'], 'effect needs a request file'],
    [['explain', 'no/rule'], 'there is no rule no/rule; the nearest is '],
    [['lsp'], 'lsp --stdio'],
  ] as const) {
    const { code, complaints } = await run(...given);
    assert.equal(code, 2, given.join(' '));
    assert.ok(complaints.includes(complaint), complaints);
  }
  // The other files are checked anyway.
  const { code, out } = await run('check', file('wrong'), 'missing.json');
  assert.deepEqual([code, out.includes('[schema/type]')], [2, true]);
});

test('accepts folders and globs, and checks everything below the current folder without operands', async () => {
  put('node_modules/x/a.transcription.json', texts.wrong);
  put('.hidden/a.transcription.json', texts.wrong);
  put('a b/[1].transcription.json', texts.wrong);
  const named = async (...operands: readonly string[]) =>
    (await run('check', '--service', 'none', ...operands)).out
      .split('\n')
      .flatMap((line) => /^(.+?):\d+:/u.exec(line)?.[1] ?? []);
  const all = ['.hidden/a', 'a b/[1]', 'a b/odd', 'a b/old', 'a b/twice', 'a b/twice', 'a b/wrong'];
  const files = all.map((name) => `${name}.transcription.json`);
  assert.deepEqual(await named(), files);
  assert.deepEqual(await named('a b'), files.slice(1));
  assert.deepEqual(await named('**/w*.json', 'a b/wrong.transcription.json'), ['a b/wrong.transcription.json']);
  // A name that looks like a glob.
  assert.deepEqual(await named('a b/[1].transcription.json'), ['a b/[1].transcription.json']);
});

test('warns about names that the given service rejects, otherwise shows information or nothing', async () => {
  const reported = async (...options: readonly string[]) => (await run('check', ...options, file('old'))).out;
  assert.match(
    await reported('--service', 'gladia'),
    /warning: Gladia ignores or refuses "language"\. .+ \[service\/legacy-name\]/u,
  );
  assert.match(await reported(), /info: Gladia \(a public service\) .+ \[service\/legacy-name\]/u);
  assert.doesNotMatch(await reported('--service', 'none'), /service\//u);
});

test('warns about links with less than the required lifetime', async () => {
  const reported = async (...options: readonly string[]) => run('check', ...options, file('signed'));
  assert.equal((await reported()).out, '');
  // The current time in these tests is 1970, and the link expires in 2023.
  const { code, out } = await reported('--min-link-life', '30000d');
  assert.equal(code, 0);
  assert.match(
    out,
    /warning: This signed link expires in \d+ min; it should last 43200000\. \[audio-url\/short-life\]/u,
  );
  assert.equal((await reported('--min-link-life=60m')).out, '');
  for (const [bad, problem] of [
    ['60', 'unknown min-link-life'],
    ['m', 'unknown min-link-life'],
    ['1w', 'unknown min-link-life'],
    ['', '--min-link-life is empty'],
  ] as const) {
    const { code: refused, complaints } = await reported(`--min-link-life=${bad}`);
    assert.deepEqual([refused, complaints.includes(problem)], [2, true], bad);
  }
});

test('reads rule levels from the workspace settings, overridden by those of a rules file', async () => {
  const rulesOf = async (...options: readonly string[]) => run('check', file('odd'), ...options);
  put('.vscode/settings.json', '// ours\n{ "transcriptionJobs.rules": { "fields/misspelt": "hint", }, }');
  assert.match((await rulesOf()).out, /: hint: Unknown field "diarisation"/u);
  assert.match((await rulesOf('--no-settings')).out, /: warning: Unknown field "diarisation"/u);
  put('rules.json', '{ "fields/misspelt": "info" }');
  assert.match((await rulesOf('--rules', 'rules.json')).out, /: info: Unknown field "diarisation"/u);
  put('rules.json', '{ "transcriptionJobs.rules": { "fields/misspelt": "off" } }');
  const { code, out } = await rulesOf('--rules', 'rules.json');
  assert.deepEqual([code, out], [0, '']);
});

test('continues with invalid settings, like the editor, but rejects an invalid rules file', async () => {
  put('.vscode/settings.json', '{ "transcriptionJobs.rules": { "fields/misspelt": "loud", "no/rule": "off" } }');
  const { code, out, complaints } = await run('check', file('odd'));
  assert.deepEqual([code, out.includes('warning: Unknown field "diarisation"')], [0, true]);
  assert.match(complaints, /fields\/misspelt: It must be one of: off, hint, info, warning\./u);
  assert.match(complaints, /Unknown rules: no\/rule\./u);
  for (const [text, complaint] of [
    ['[]', 'contains a JSON object that maps rule codes to levels'],
    ['{"fields/misspelt": 1}', 'fields/misspelt: It must be one of'],
    ['{"no/rule": "off"}', 'Unknown rules: no/rule.'],
  ] as const) {
    put('rules.json', text);
    const refused = await run('check', '--no-settings', '--rules', 'rules.json', file('odd'));
    assert.deepEqual([refused.code, refused.complaints.includes(complaint)], [2, true], refused.complaints);
  }
});

test('reports files larger than 10 MB instead of reading them', async () => {
  put('large.transcription.json', '');
  truncateSync(join(folder, 'large.transcription.json'), 10 * 1024 * 1024 + 1);
  const { code, out, complaints } = await run('check', 'large.transcription.json', file('wrong'));
  assert.equal(code, 2);
  assert.match(complaints, /large\.transcription\.json has more than 10 MB/u);
  assert.match(out, /must be a string/u);
});

const noZero = !existsSync('/dev/zero') && 'there is no /dev/zero here';

test('reads no more than 10 MB of what has no size', { skip: noZero }, async () => {
  const { code, complaints } = await run('check', '/dev/zero');
  assert.deepEqual([code, /\/dev\/zero has more than 10 MB/u.test(complaints)], [2, true]);
});

test('applies safe fixes, and changes nothing else in the file', async () => {
  const { code, out, complaints } = await run('fix');
  assert.deepEqual([code, out], [1, 'a b/twice.transcription.json: fixed\n']);
  assert.equal(
    complaints,
    'transcription-requests: 1 of 6 files fixed; 2 files left with problems, which check shows; 2 have fixes to choose in an editor\n',
  );
  assert.equal(readFileSync(join(folder, file('twice')), 'utf8'), texts.twice.replace(', "en"]', ']'));
  assert.equal(readFileSync(join(folder, file('odd')), 'utf8'), texts.odd);
  assert.deepEqual(await run('fix', file('good'), '--quiet'), { code: 0, out: '', complaints: '' });
});

test('fix fails if errors remain, but not for warnings', async () => {
  put('broken.transcription.json', '{"audio_url": ');
  for (const [name, expected] of [
    ['broken.transcription.json', 1],
    [file('wrong'), 1],
    [file('odd'), 0],
  ] as const) {
    for (const options of [[], ['--dry-run']]) {
      const { code, complaints } = await run('fix', name, ...options);
      assert.equal(code, expected, name);
      assert.match(
        complaints,
        /; 1 file left with problems, which check shows(; 1 has a fix to choose in an editor)?$/mu,
      );
    }
  }
});

test('shows the fixes of a dry run as a diff without control sequences for a terminal', async () => {
  put(
    'n.transcription.json',
    '{\n  "language_config": { "languages": ["en", "en"] } /*\n  ::error::x\u001b[2J */\n}\n',
  );
  const shown = await runWith(true, ['fix', '--dry-run', 'n.transcription.json']);
  const exact = await run('fix', '--dry-run', 'n.transcription.json');
  assert.deepEqual([shown.code, exact.code, exact.complaints.includes('altered')], [1, 1, false]);
  assert.match(
    shown.complaints,
    /^transcription-requests: n\.transcription\.json: characters were altered for display/u,
  );
  assert.equal(exact.out, shown.out.replace(': :error: :x [2J', '::error::x\u001b[2J'));
  assert.equal(
    shown.out,
    [
      '--- a/n.transcription.json',
      '+++ b/n.transcription.json',
      '@@ -1,4 +1,4 @@',
      ' {',
      '-  "language_config": { "languages": ["en", "en"] } /*',
      '+  "language_config": { "languages": ["en"] } /*',
      '   : :error: :x [2J */',
      ' }',
      '',
    ].join('\n'),
  );
  assert.equal((await run('fix', '--dry-run', file('good'))).code, 0);
  assert.match(readFileSync(join(folder, 'n.transcription.json'), 'utf8'), /"en", "en"/u);
});

test('describes the effect of a request, and shows it as it would be sent', async () => {
  const { out } = await run('effect', file('twice'));
  assert.equal(out, `${file('twice')}: Languages: en, fr (code_switching is not set)\n`);
  const preview = await run('preview', file('good'), '--base-url', 'https://api.example.com', '--key-header', 'x-key');
  assert.equal(
    preview.out,
    `POST https://api.example.com/v2/pre-recorded\ncontent-type: application/json\nx-key: ••••••••\n\n${texts.good}\n`,
  );
});

test('shows no request that the editor would not send, or to an address that it would reject', async () => {
  for (const command of ['preview', 'effect']) {
    const { code, complaints } = await run(command, file('wrong'));
    assert.deepEqual([code, /would not be sent as it is; check says why/u.test(complaints)], [2, true], command);
  }
  assert.equal((await run('preview', file('wrong'))).out, '');
  for (const [options, problem] of [
    [['--base-url', 'http://evil.example'], /--base-url: Start with https:\/\/\./u],
    [['--base-url', 'javascript:1'], /--base-url: Start with https/u],
    [['--base-url', 'https://u:p@h.example/?k=hidden'], /--base-url: Remove the user name and password/u],
    [['--base-url', 'https://h.example/?k=hidden'], /--base-url: Remove everything from \?/u],
    [['--key-header', 'x key'], /--key-header: A header name is a single word/u],
  ] as const) {
    const { code, out, complaints } = await run('preview', file('good'), ...options);
    assert.deepEqual([code, out], [2, ''], options.join(' '));
    assert.match(complaints, problem);
    assert.doesNotMatch(complaints, /hidden/u);
  }
  const { out } = await run('preview', file('good'), '--base-url', 'http://localhost:8080/');
  assert.match(out, /^POST http:\/\/localhost:8080\/v2\/pre-recorded\n/u);
});

test('shows neither effect nor preview of a file without a request', async () => {
  for (const [name, text] of [
    ['empty', ''],
    ['list', '[]'],
    ['text', '"audio_url"'],
  ] as const) {
    put(`${name}.transcription.json`, text);
    const effect = await run('effect', `${name}.transcription.json`);
    assert.deepEqual([effect.code, effect.out], [2, ''], name);
    assert.match(effect.complaints, /holds no request; check says why/u);
  }
  for (const [name, text] of [
    ['empty', ''],
    ['list', '[]'],
    ['broken', '{"audio_url": "https://media.example.com/a.mp3"'],
  ] as const) {
    put(`${name}.transcription.json`, text);
    const preview = await run('preview', `${name}.transcription.json`);
    assert.deepEqual([preview.code, preview.out], [2, ''], name);
    assert.match(preview.complaints, /would not be sent as it is; check says why/u);
  }
});

test('explains rules, and prints the schema, the version and the usage', async () => {
  for (const reported of [...Object.values(schemaCodes), ...Object.values(syntaxCodes)])
    assert.equal((await run('explain', reported)).code, 0, reported);
  assert.match((await run('explain', 'fields/misspelt')).out, /^# Fields\n/u);
  assert.match((await run('explain', 'languages/duplicate')).out, /\*\*`languages\/duplicate`\*\*/u);
  const schema = JSON.parse((await run('schema')).out) as { readonly $id: string };
  const catalog = JSON.parse(readFileSync('media/command/schema-catalog.json', 'utf8')) as { readonly url: string };
  assert.equal(schema.$id, catalog.url);
  assert.equal((await run('--version')).out, '1.2.3\n');
  assert.match((await run('check', '--help')).out, /^usage: transcription-requests/u);
});

test('shows findings at their lines in GitHub, and passes no commands from files to its runner', async () => {
  put('::error::,x%/a.transcription.json', '{"::error::%0A": 1}');
  const { out } = await run('check', '--format', 'github', '::error::,x%');
  const [line = ''] = out.split('\n').filter((each) => each.includes('fields/unknown'));
  assert.match(
    line,
    /^::notice file=%3A%3Aerror%3A%3A%2Cx%25\/a\.transcription\.json,line=1,col=2,endLine=1,endColumn=16,title=fields\/unknown::/u,
  );
  assert.ok(out.split('\n').every((each) => each === '' || /^::(?:error|warning|notice) file=/u.test(each)));
});

test('writes findings with the edits of their fixes, and the effect, as JSON', async () => {
  const { out } = await run('check', '--format', 'json', file('twice'));
  const report = JSON.parse(out) as JsonReport;
  assert.equal(report.version, 1);
  const [only] = report.files;
  assert.deepEqual(only?.effect, [{ topic: 'language', text: 'Languages: en, fr (code_switching is not set)' }]);
  const duplicate = only?.findings.find(({ code }) => code === 'languages/duplicate');
  assert.deepEqual(duplicate?.begin, { line: 3, column: 50 });
  assert.deepEqual(
    duplicate?.fixes.map(({ safe, edits }) => ({ safe, edits })),
    [{ safe: true, edits: [{ begin: { line: 3, column: 48 }, end: { line: 3, column: 54 }, text: '' }] }],
  );
});

test('writes SARIF with exact lines, columns in UTF-16, and the rules of the results', async () => {
  const { out } = await run('check', '--format=sarif', '--', file('odd'), file('wrong'));
  const log = JSON.parse(out) as SarifLog;
  assert.equal(log.version, '2.1.0');
  const [first] = log.runs;
  assert.equal(first?.columnKind, 'utf16CodeUnits');
  assert.deepEqual(
    first.results.map(({ ruleId, ruleIndex, level, locations }) => ({
      ruleId,
      named: first.tool.driver.rules[ruleIndex]?.id,
      level,
      ...locations[0]?.physicalLocation,
    })),
    [
      {
        ruleId: 'fields/misspelt',
        named: 'fields/misspelt',
        level: 'warning',
        artifactLocation: { uri: 'a%20b/odd.transcription.json', uriBaseId: '%SRCROOT%' },
        region: { startLine: 2, startColumn: 53, endLine: 2, endColumn: 66 },
      },
      {
        ruleId: 'schema/type',
        named: 'schema/type',
        level: 'error',
        artifactLocation: { uri: 'a%20b/wrong.transcription.json', uriBaseId: '%SRCROOT%' },
        region: { startLine: 1, startColumn: 15, endLine: 1, endColumn: 16 },
      },
    ],
  );
});

interface Position {
  readonly line: number;
  readonly column: number;
}

interface JsonReport {
  readonly version: number;
  readonly files: readonly {
    readonly effect: readonly object[];
    readonly findings: readonly {
      readonly code: string;
      readonly begin: Position;
      readonly fixes: readonly { readonly safe: boolean; readonly edits: readonly object[] }[];
    }[];
  }[];
}

interface SarifLog {
  readonly version: string;
  readonly runs: readonly {
    readonly columnKind: string;
    readonly tool: { readonly driver: { readonly rules: readonly { readonly id: string }[] } };
    readonly results: readonly {
      readonly ruleId: string;
      readonly ruleIndex: number;
      readonly level: string;
      readonly locations: readonly { readonly physicalLocation: object }[];
    }[];
  }[];
}
