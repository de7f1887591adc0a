import assert from 'node:assert/strict';
import { readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { after, beforeEach, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { Ajv } from 'ajv';
import { createSarifReporter } from '../../../src/cli/sarifReport.ts';
import type { Finding } from '../../../src/language/request/finding.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { CommandRunner } from '../../support/command/commandRunner.ts';
import { sarifOf } from '../../support/command/sarifOf.ts';

const command = new CommandRunner();
after(command.remove);
beforeEach(() => command.reset());

const {
  $schema: _draft,
  id: _id,
  ...schema
} = JSON.parse(readFileSync('test/fixtures/sarif/sarif-schema-2.1.0.json', 'utf8')) as Record<string, unknown>;
const validate = new Ajv({ strict: false, formats: { uri: isUri, 'uri-reference': true, 'date-time': true } }).compile(
  schema,
);

function isUri(text: string): boolean {
  return URL.canParse(text);
}

const wrong =
  '\ufeff{\r\n  "audio_url": 1,\r\n  "language_config": {"languages": ["en", "fr", "en"]},\r\n  "x y": 1\r\n}';

async function sarif(...given: readonly string[]): Promise<SarifLog> {
  const { out } = await command.run(['check', '--format', 'sarif', ...given]);
  return JSON.parse(out) as SarifLog;
}

test('reports follow the schema of SARIF: with findings, without, and of runs that failed', async () => {
  command.put('a b#?%:/ü\u{1f600}.transcription.json', wrong);
  command.put(
    '.vscode/settings.json',
    '{"transcriptionJobs.rules": {"languages/duplicate": "hint", "no/rule": "off"}}',
  );
  symlinkSync('loop', join(command.folder, 'loop.transcription.json'));
  for (const given of [[], ['none'], ['--rules', 'none.json'], ['loop.transcription.json', '.']]) {
    const log = await sarif(...given);
    assert.ok(validate(log), JSON.stringify(validate.errors?.slice(0, 3)));
  }
  assert.ok(!validate({ version: '2.1.0', runs: [{}] }));
});

test('every rule has what code scanning shows, within its limits', async () => {
  const { driver } = (await sarif()).runs[0].tool;
  assert.deepEqual([driver.name, driver.semanticVersion], ['transcription-requests', '1.2.3']);
  assert.ok(driver.rules.length > 30);
  for (const { id, shortDescription, fullDescription, help, defaultConfiguration, properties } of driver.rules) {
    assert.ok(id.length <= 255);
    for (const { text } of [shortDescription, fullDescription, help])
      assert.ok(text.length > 10 && text.length <= 1024, id);
    assert.match(help.markdown, /^# .+\n/u, id);
    assert.ok(['error', 'warning', 'note'].includes(defaultConfiguration.level));
    assert.ok(['error', 'warning', 'recommendation'].includes(properties['problem.severity']));
    assert.ok(properties.tags.length <= 10);
  }
});

test('files are named from the root of the repository, whatever the current folder; others by their address', async () => {
  command.put('sub/a b.transcription.json', wrong);
  const outside = new CommandRunner();
  after(outside.remove);
  outside.reset();
  const path = outside.put('b.transcription.json', wrong);
  const { out } = await command.run(['check', '--format', 'sarif', '.', path], { folder: join(command.folder, 'sub') });
  const places = (JSON.parse(out) as SarifLog).runs[0].results.map(
    ({ locations: [{ physicalLocation }] }) => physicalLocation.artifactLocation,
  );
  assert.deepEqual(
    new Set(places.map(({ uri }) => uri)),
    new Set(['sub/a%20b.transcription.json', pathToFileURL(path).href]),
  );
  for (const { uri, uriBaseId } of places) assert.equal(uriBaseId, uri.startsWith('file:') ? undefined : '%SRCROOT%');
  const github = await command.run(['check', '--format', 'github'], { folder: join(command.folder, 'sub') });
  assert.match(github.out, /^::error file=sub\/a b\.transcription\.json,/u);
});

test('a result keeps its fingerprint when lines are added above it', async () => {
  command.put('a.transcription.json', wrong);
  const prints = async () =>
    (await sarif()).runs[0].results.map(({ ruleId, partialFingerprints }) => [ruleId, partialFingerprints]);
  const before = await prints();
  assert.ok(before.every(([, print]) => /^[\da-f]{1,16}:1$/u.test((print as Fingerprints).primaryLocationLineHash)));
  command.put('a.transcription.json', wrong.replace('{', '// a\r\n// b\r\n{'));
  const later = (await prints()).filter(([ruleId]) => ruleId !== 'json/not-strict');
  assert.deepEqual(later, before);
});

test('a report has at most as many results as code scanning takes, the most severe ones', () => {
  const finding = (severity: Finding['severity']): Finding => ({
    code: 'fields/unknown',
    severity,
    message: 'x'.repeat(500),
    place: { path: [], part: 'value' },
    related: Array.from({ length: 300 }, () => ({ place: { path: [], part: 'value' } as const, message: '' })),
  });
  const few = Array.from({ length: 50 }, () => finding('error'));
  const [{ results: related }] = (JSON.parse(sarifOf('a', parseRequest('{}'), few)) as SarifLog).runs;
  assert.deepEqual(new Set(related.map(({ relatedLocations }) => relatedLocations?.length)), new Set([100]));
  const many = (['hint', 'warning', 'error'] as const).flatMap((severity) =>
    Array.from({ length: 12_000 }, () => ({ ...finding(severity), related: [] })),
  );
  const text = sarifOf('a', parseRequest('{}'), many);
  const [{ results, invocations }] = (JSON.parse(text) as SarifLog).runs;
  const levels = results.map(({ level }) => level);
  assert.deepEqual([levels.length, levels.filter((level) => level === 'note').length], [25_000, 1000]);
  assert.match(invocations[0].toolExecutionNotifications[0]?.message.text ?? '', /^11000 more findings are left out/u);
  assert.ok(gzipSync(text).length < 10_000_000);
});

test('messages of failures are no links', () => {
  const reporter = createSarifReporter('1.2.3', () => undefined);
  const report = reporter.end({
    exitCode: 2,
    failures: ['[a](https://e.com)\u001b[2J'],
    notes: [],
    settings: [],
    omissions: [],
  });
  const [{ invocations }] = (JSON.parse(report) as SarifLog).runs;
  const text = invocations[0].toolExecutionNotifications[0]?.message.text;
  assert.equal(text, String.raw`\[a\](https://e.com) \[2J`);
});

interface Fingerprints {
  readonly primaryLocationLineHash: string;
}

interface Text {
  readonly text: string;
}

interface SarifLog {
  readonly runs: readonly [
    {
      readonly tool: {
        readonly driver: {
          readonly name: string;
          readonly semanticVersion: string;
          readonly rules: readonly {
            readonly id: string;
            readonly shortDescription: Text;
            readonly fullDescription: Text;
            readonly help: Text & { readonly markdown: string };
            readonly defaultConfiguration: { readonly level: string };
            readonly properties: { readonly tags: readonly string[]; readonly 'problem.severity': string };
          }[];
        };
      };
      readonly invocations: readonly [{ readonly toolExecutionNotifications: readonly { readonly message: Text }[] }];
      readonly results: readonly {
        readonly ruleId: string;
        readonly level: string;
        readonly partialFingerprints: Fingerprints;
        readonly relatedLocations?: readonly object[];
        readonly locations: readonly [
          {
            readonly physicalLocation: {
              readonly artifactLocation: { readonly uri: string; readonly uriBaseId?: string };
            };
          },
        ];
      }[];
    },
  ];
}
