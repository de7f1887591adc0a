import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { JobColumns } from '../../../../src/features/board/common/jobColumns.ts';
import { findContradiction, noFilter } from '../../../../src/jobs/common/jobFilter.ts';
import { paramsOfConditions } from '../../../../src/features/board/common/supportedConditions.ts';
import { decodeStoredFilter, encodeStoredFilter } from '../../../../src/jobs/common/storedFilter.ts';
import { findMatchedFields, parseJobQuery, suggestMetadata } from '../../../../src/jobs/common/findJobs.ts';
import { metadataOf, readItemFacts } from '../../../../src/jobs/common/itemFacts.ts';
import { chooseJobLabel } from '../../../../src/jobs/common/jobRow.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { readExactJson } from '../../../../src/base/json/readJson.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { makeRequestOfJob } from '../../../../src/features/requests/common/requestFromJob.ts';
import { jobAnswer, listAnswer } from '../../../../src/features/agents/common/tools.ts';
import { encodeListQuery } from '../../../../src/jobs/node/api/listQuery.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { finish } from '../../../support/finish.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

/** Numbers that a conversion to a double would change. */
const written = ['12345678901234567890', '12345678901234567891', '1.50', '1e3', '-0', '0.10', '1E400'] as const;
const numbers = fc.oneof(
  fc.constantFrom(...written),
  fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }).map(String),
  fc.tuple(fc.integer(), fc.nat()).map(([whole, part]) => `${whole}.${part}0`),
  fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: -400, max: 400 }))
    .map(([digit, power]) => `${digit}e${power}`),
);

function jobWith(number: string): Job {
  return bareJob({
    raw: `{"id":"a","custom_metadata":{"order":${number},"room":{"floor":${number}}},"kind":"pre-recorded",
    "request_params":{"audio_url":"https://a.example/b.wav","custom_vocabulary_config":{"default_intensity":${number}}}}`,
  });
}

test('a number keeps its notation when it is shown, searched, suggested, filtered, stored and sent', () => {
  fc.assert(
    fc.property(numbers, numbers, (number, other) => {
      const job = jobWith(number);
      assert.equal(chooseJobLabel(job, ['order']), number);
      assert.ok(findMatchedFields(job, parseJobQuery(`order=${number}`)).includes(`order: ${number}`));
      assert.match(
        finish(listAnswer([job], false)),
        new RegExp(`order\\\\*": ?${number.replaceAll(/[.+]/g, String.raw`\$&`)},`),
      );
      assert.ok(jobAnswer(job).data.includes(`"order":${number},`));

      const suggested = suggestMetadata([job, jobWith(other)]).find(({ key }) => key === 'order')?.values ?? [];
      assert.deepEqual(new Set(suggested.map(({ value }) => JSON.stringify(value))), new Set([number, other]));
      const value: (typeof suggested)[number] | undefined = suggested[0];
      assert.ok(value);
      const filter = { ...noFilter, metadata: { order: value.value } };
      // The editor serializes stored state and messages the same way.
      const kept = decodeStoredFilter(JSON.parse(JSON.stringify(encodeStoredFilter(filter))));
      assert.deepEqual(kept, filter);
      const styles = { arrayFormat: 'repeat', metadataFormat: 'json' } as const;
      const query = encodeListQuery({ customMetadata: filter.metadata }, styles);
      assert.equal(decodeURIComponent(query), `custom_metadata={"order":${JSON.stringify(value.value)}}`);
      const brackets = encodeListQuery({ customMetadata: filter.metadata }, { ...styles, metadataFormat: 'brackets' });
      assert.equal(decodeURIComponent(brackets), `custom_metadata[order]=${JSON.stringify(value.value)}`);
      for (const each of [number, other]) {
        const isSame: boolean = each === JSON.stringify(value.value);
        assert.equal(
          findContradiction(jobWith(each), { customMetadata: filter.metadata }),
          isSame ? undefined : 'metadata',
        );
      }

      const columns = new JobColumns();
      columns.add(job);
      columns.add(jobWith(other));
      const column = columns.column('custom_metadata.order');
      assert.deepEqual([column?.value(0), column?.value(1)], [number, other]);
      const condition = { key: 'custom_metadata.order', value: number, isExcluded: false };
      assert.equal(JSON.stringify(paramsOfConditions(columns, [condition]).customMetadata), `{"order":${number}}`);

      const body = makeRequestOfJob(job, undefined)?.body;
      assert.equal(
        JSON.stringify(body),
        `{"audio_url":"https://a.example/b.wav","custom_vocabulary_config":{"default_intensity":${number}},"custom_metadata":{"order":${number},"room":{"floor":${number}}}}`,
      );
    }),
    { numRuns: propertyRuns },
  );
});

test('a filter stored by version 0.2.0, which kept numbers as doubles, can still be read', () => {
  const stored = {
    version: 1,
    statuses: [],
    time: { type: 'any' },
    metadata: { order: 12, price: 1.5, room: { floor: 1 } },
  };
  assert.deepEqual(decodeStoredFilter(stored), { ...noFilter, metadata: stored.metadata });
  assert.deepEqual(encodeStoredFilter({ ...noFilter, metadata: stored.metadata }), stored);
});

test('nested metadata match a filter that they contain', () => {
  const job = bareJob({ raw: '{"custom_metadata":{"room":{"floor":1,"door":"x","tags":["a",1.50]},"none":null}}' });
  const contradicts = (wanted: string): boolean => {
    const customMetadata = readExactJson(wanted);
    assert.ok(isObject(customMetadata));
    return findContradiction(job, { customMetadata }) !== undefined;
  };
  for (const wanted of [
    '{"room":{"floor":1}}',
    '{"room":{"tags":["a",1.50]}}',
    '{"none":null}',
    '{"room":{"floor":"1"}}',
    '{"room":{}}',
  ])
    assert.ok(!contradicts(wanted), wanted);
  for (const wanted of [
    '{"room":{"floor":2}}',
    '{"room":{"tags":["a"]}}',
    '{"none":0}',
    '{"room":[]}',
    '{"room":"x"}',
    '{"a":null}',
    '{"room":{"tags":["a",1.5]}}',
  ])
    assert.ok(contradicts(wanted), wanted);
});

function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null;
}

test('only the first keys of an item are read; the filter finds a later key or trusts the service', () => {
  const jobWith = (keys: number) => {
    const members = Array.from({ length: keys }, (_, index) => `"key${index}":"value ${index}"`).join(',');
    return bareJob({ raw: `{"id":"a","custom_metadata":{${members}},"file":{"filename":"a.wav"}}` });
  };
  for (const [keys, contradiction] of [
    [1500, 'metadata'],
    [24_000, undefined],
  ] as const) {
    const job = jobWith(keys);
    assert.equal(Object.keys(metadataOf(job)).length, 200);
    assert.deepEqual(readItemFacts(job, ['file', 'request_id']), { file: { filename: 'a.wav' } });
    assert.equal(findContradiction(job, { customMetadata: { key1499: 'value 1499' } }), undefined);
    assert.equal(findContradiction(job, { customMetadata: { key1499: 'value' } }), contradiction);
  }
});
