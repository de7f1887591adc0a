import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parse } from 'yaml';
import { oneLine } from '../../../../src/base/outsideText.ts';
import { frontMatterOf, writeFrontMatter } from '../../../../src/jobs/common/frontMatter.ts';
import { extensionId, formatJobLink } from '../../../../src/jobs/common/jobLink.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../../support/builders/jobItem.ts';
import { checkDrawnFrontMatter } from '../../../support/frontMatter/checkDrawnFrontMatter.ts';
import { disturbingInLine, hostileText } from '../../../support/hostile/hostileText.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

const createdAtMs = Date.UTC(2026, 10, 19, 10);
const origin = 'https://api.example.com';
const facts: Parameters<typeof writeFrontMatter>[0] = {
  id: 'job-1',
  createdAtMs,
  title: 'Weekly: "one"',
  customer: 'Blue Harbor',
  metadata: [
    ['customer', 'Blue Harbor'],
    ['episode', '7'],
  ],
  lengthMs: 3_723_400,
  languages: ['en', 'fr'],
  link: formatJobLink({ kind: 'pre-recorded', id: 'job-1', createdAtMs }, origin, 'vscode'),
};

test('the front matter says what a search needs', () => {
  assert.equal(
    writeFrontMatter(facts),
    [
      '---',
      'id: "job-1"',
      'created: 2026-11-19T10:00:00.000Z',
      String.raw`title: "Weekly: \"one\""`,
      'customer: "Blue Harbor"',
      'length: "01:02:03"',
      'languages: ["en", "fr"]',
      `job: "vscode://${extensionId}/job?kind=pre-recorded&id=job-1&created=2026-11-19T10:00:00.000Z&origin=https://api.example.com"`,
      'metadata:',
      '  "customer": "Blue Harbor"',
      '  "episode": "7"',
      '---',
      '',
      '',
    ].join('\n'),
  );
  const [nothing, unknown] = [undefined, { createdAtMs: undefined, lengthMs: undefined }];
  const bare = writeFrontMatter({
    ...facts,
    ...unknown,
    customer: nothing,
    metadata: [],
    languages: [],
    link: nothing,
  });
  assert.equal(bare, '---\nid: "job-1"\ntitle: "Weekly: \\"one\\""\n---\n\n');
});

test('property: no text becomes syntax', () => {
  fc.assert(
    fc.property(hostileText, hostileText, hostileText, (id, title, customer) => {
      const written = writeFrontMatter({ ...facts, id, title, customer, languages: [title], metadata: [[title, id]] });
      const lines = written.split('\n');
      assert.deepEqual(
        lines.map((line) => (line.startsWith('  "') ? 'a member' : line.replace(/:.*/su, ''))),
        [
          '---',
          'id',
          'created',
          'title',
          'customer',
          'length',
          'languages',
          'job',
          'metadata',
          'a member',
          '---',
          '',
          '',
        ],
      );
      for (const line of lines) {
        assert.doesNotMatch(line, disturbingInLine);
        const [, value] = /^(?:id|title|customer|languages): (.*)$/u.exec(line) ?? [];
        if (value !== undefined) assert.doesNotThrow(() => void JSON.parse(value), line);
      }
    }),
    { numRuns: propertyRuns },
  );
});

test('metadata with keys that are syntax are read as they are, in order, the first 20, cut at 200 characters', () => {
  const odd = ['a: b', '---', 'x\n---\ny', '"', "'", '__proto__', '7', '<<', 'null', ''];
  const metadata = [...odd, ...Array.from({ length: 20 }, (_, index) => `key ${index}`)].map(
    (key) => [key, `${key}${'x'.repeat(300)}`] as const,
  );
  const [, yaml = ''] = writeFrontMatter({ ...facts, metadata: [...metadata.slice(0, 1), ...metadata] }).split(
    /^---\n/mu,
  );
  const read =
    (parse(yaml, { strict: true, mapAsMap: true }) as ReadonlyMap<string, ReadonlyMap<string, string>>).get(
      'metadata',
    ) ?? new Map<string, string>();
  assert.deepEqual(
    [...read.keys()],
    [...odd.map((key) => oneLine(key)), ...Array.from({ length: 9 }, (_, index) => `key ${index}`)],
  );
  for (const value of read.values()) assert.equal(value.length, 200);
});

test('another parser of YAML reads 200 drawn facts as they were', () => {
  checkDrawnFrontMatter(200);
});

test('the facts come from the item, and the length from its file or result', () => {
  const item = { ...preRecordedItem(), custom_metadata: { customer: 'Blue Harbor', list: [1], episode: 7 } };
  const job = bareJob({ id: 'job-1', kind: 'pre-recorded', createdAtMs, raw: JSON.stringify(item) });
  const text = (raw: string, json: string) =>
    frontMatterOf({ ...job, raw }, 'Weekly: "one"', { json, languages: ['en', 'fr'] }, facts.link);
  const timed = JSON.stringify({ transcription: {}, metadata: { audio_duration: 3723.4 } });
  assert.equal(text(job.raw, timed), writeFrontMatter(facts));
  assert.equal(text(JSON.stringify({ ...item, file: { audio_duration: 3723.4 } }), '{}'), writeFrontMatter(facts));
  for (const odd of [
    '{"metadata":{"audio_duration":"3723"}}',
    '{"metadata":{"audio_duration":-1}}',
    '{"metadata":7}',
    '7',
  ])
    assert.equal(text(job.raw, odd), writeFrontMatter({ ...facts, lengthMs: undefined }));
});
