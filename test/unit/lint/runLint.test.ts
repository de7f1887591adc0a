import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { runLint } from '../../../src/lint/runLint.ts';
import { schemaErrors } from '../domain/request/schemaCheck.ts';

const folder = mkdtempSync(join(tmpdir(), 'lint-'));
after(() => rmSync(folder, { recursive: true }));
mkdirSync(join(folder, 'a b'));

const good = '{"audio_url": "https://media.example.com/a.mp3"}';
const odd = '\uFEFF{\r\n  "audio_url": "https://media.example.com/ü😀.mp3", "diarisation": true\r\n}';
const wrong = '{"audio_url": 1}';
const signed = '{"audio_url": "https://media.example.com/a.mp3?expires=1700000000"}';
const old = '{"audio_url": "https://media.example.com/a.mp3", "language": "fr"}';
for (const [name, text] of Object.entries({ good, odd, wrong, old, signed })) {
  writeFileSync(join(folder, 'a b', `${name}.transcription.json`), text);
}
const file = (name: string) => `a b/${name}.transcription.json`;

async function lint(...given: readonly string[]) {
  let out = '';
  let complaints = '';
  const code = await runLint(given, {
    folder,
    check: schemaErrors,
    nowMs: 0,
    out: { write: (text) => (out += text) },
    complaints: { write: (text) => (complaints += text) },
  });
  return { code, out, complaints };
}

test('exits with 0 when there is nothing to say, and when there are warnings only', async () => {
  assert.deepEqual(await lint(file('good')), { code: 0, out: '', complaints: '' });
  const { code, out } = await lint(file('odd'), file('good'));
  assert.equal(code, 0);
  assert.equal(
    out,
    'a b/odd.transcription.json:2:53: warning: "diarisation" is not a described field. Did you mean "diarization"? [fields/misspelt]\n',
  );
});

test('says as a warning what a service refuses, where it is named, and otherwise as information or not at all', async () => {
  const told = async (...options: readonly string[]) => (await lint(...options, file('old'))).out;
  assert.match(
    await told('--service', 'gladia'),
    /warning: Gladia does not take "language" any more\. .+ \[service\/legacy-name\]/u,
  );
  assert.match(await told(), /info: One public service .+ \[service\/legacy-name\]/u);
  assert.doesNotMatch(await told('--service', 'none'), /service\//u);
});

test('warns of links that last less than is wanted', async () => {
  const told = async (...options: readonly string[]) => lint(...options, file('signed'));
  assert.equal((await told()).out, '');
  // The time of these tests is 1970, and the link lasts until 2023.
  const { code, out } = await told('--min-link-life', '30000d');
  assert.equal(code, 0);
  assert.match(
    out,
    /warning: This signed link expires in \d+ min; it should last 43200000\. \[audio-url\/short-life\]/u,
  );
  assert.equal((await told('--min-link-life=60m')).out, '');
  for (const bad of ['60', 'm', '-1m', '1w', '']) {
    const { code: refused, complaints } = await told('--min-link-life', bad);
    assert.deepEqual([refused, complaints.includes('unknown min-link-life')], [2, true], bad);
  }
});

test('exits with 1 on errors', async () => {
  const { code, out } = await lint(file('good'), file('wrong'));
  assert.equal(code, 1);
  assert.equal(out, 'a b/wrong.transcription.json:1:15: error: audio_url must be a text. [schema/type]\n');
});

test('exits with 2 on bad use and on files that cannot be read, and says why', async () => {
  for (const [given, complaint] of [
    [[], 'no file was named'],
    [['--format', 'xml', 'a'], 'unknown format xml'],
    [['--format'], '--format wants a value'],
    [['--service', 'acme', 'a'], 'unknown service acme'],
    [['--fix', 'a'], 'unknown argument --fix'],
    [['missing.json'], 'ENOENT'],
  ] as const) {
    const { code, complaints } = await lint(...given);
    assert.equal(code, 2);
    assert.ok(complaints.includes(complaint), complaints);
  }
  assert.equal((await lint(file('wrong'), 'missing.json')).code, 2);
});

test('reads no file of more than 10 MB, and says so', async () => {
  const large = join(folder, 'large.transcription.json');
  writeFileSync(large, '');
  truncateSync(large, 10 * 1024 * 1024 + 1);
  const { code, out, complaints } = await lint('large.transcription.json', file('wrong'));
  assert.equal(code, 2);
  assert.match(complaints, /large\.transcription\.json has more than 10 MB/);
  assert.match(out, /must be a text/);
});

test('tells its use', async () => {
  const { code, out } = await lint('--help');
  assert.equal(code, 0);
  assert.match(out, /^usage: /u);
});

test('writes SARIF with exact lines, columns in UTF-16, and rules that the results name', async () => {
  const { out } = await lint('--format=sarif', '--', file('odd'), file('wrong'));
  const log = JSON.parse(out) as SarifLog;
  assert.equal(log.version, '2.1.0');
  const [run] = log.runs;
  assert.equal(run?.columnKind, 'utf16CodeUnits');
  assert.deepEqual(
    run.results.map(({ ruleId, ruleIndex, level, locations }) => ({
      ruleId,
      named: run.tool.driver.rules[ruleIndex]?.id,
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
