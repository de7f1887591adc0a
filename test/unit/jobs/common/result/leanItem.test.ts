import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../../src/base/json/json.ts';
import { readJobItem } from '../../../../../src/jobs/common/job.ts';
import { omitMember } from '../../../../../src/base/json/jsonText.ts';
import { listFailedAddOns } from '../../../../../src/jobs/common/failedAddOns.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import { makeLeanItem, makeLeanLargeItem } from '../../../../../src/jobs/common/result/leanItem.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';
import { SteppedJson } from '../../../../../src/base/json/steppedJson.ts';
import { jobItemShape } from '../../../../../src/jobs/common/decodeJob.ts';
import { finish } from '../../../../support/finish.ts';

const bulk = 'said '.repeat(300);

describe('A lean item', () => {
  it('has the whole item except the bulk of its result', () => {
    const result = {
      metadata: { audio_duration: 12.5, billing_time: 13, note: bulk },
      transcription: { full_transcript: bulk, utterances: [{ text: bulk }] },
      summarization: { success: true, is_empty: false, results: bulk },
      audio_to_llm: { success: true, results: [{ success: false, error: { message: 'Too long' }, results: null }] },
    };
    const item = { result, id: 'a', custom_metadata: { n: 1 } };
    const { raw, omitted } = makeLeanItem(JSON.stringify(item)) ?? assert.fail('it has a result');
    assert.equal(omitted, JSON.stringify(result));
    assert.deepEqual(JSON.parse(raw), {
      id: 'a',
      custom_metadata: { n: 1 },
      result: {
        metadata: { audio_duration: 12.5, billing_time: 13 },
        summarization: { success: true },
        audio_to_llm: { success: false, error: { message: 'Too long' } },
      },
    });
  });

  it('is not made for an item without a result, or with a short one', () => {
    for (const result of [undefined, null, { summarization: { success: true, results: 'Short.' } }, 'Short.'])
      assert.equal(makeLeanItem(JSON.stringify({ id: 'a', result })), undefined);
    assert.equal(makeLeanItem(`{"id":"a","result":{"a":${JSON.stringify(bulk)}`), undefined);
  });

  it('is short for a long result of any type, even if it is repeated', () => {
    const long = JSON.stringify(bulk);
    for (const [text, left] of [
      [`{"id":"a","result":${long}}`, bulk.slice(0, 1)],
      [`{"id":"a","result":[${long}]}`, []],
      [`{"id":"a","result":${long},"result":7}`, 7],
      [
        `{"id":"a","result":{"a":${long}},"result":{"metadata":{"audio_duration":2}}}`,
        { metadata: { audio_duration: 2 } },
      ],
    ] as const)
      assert.deepEqual(JSON.parse(makeLeanItem(text)?.raw ?? '{}'), { id: 'a', result: left });
  });

  it('has the same figures and failed add-ons as the whole item', () => {
    const others = fc.dictionary(fc.string(), fc.jsonValue() as fc.Arbitrary<JsonValue>, { maxKeys: 3 });
    fc.assert(
      fc.property(others, anyResult, (sent, result) => {
        const long: JsonValue =
          typeof result === 'object' && result !== null && !Array.isArray(result)
            ? { ...result, padding: bulk }
            : result;
        const item: JsonObject = { id: 'a', ...sent, result: long };
        const whole = JSON.stringify(item);
        const lean = makeLeanItem(whole);
        if (lean === undefined) return;
        assert.ok(lean.raw.length < whole.length);
        assert.equal(lean.omitted, JSON.stringify(long));
        assert.deepEqual(listFailedAddOns({ raw: lean.raw }), listFailedAddOns({ raw: whole }));
        const figuresOf = (raw: string) => readResult(readJobItem({ raw }))?.figures;
        assert.deepEqual(figuresOf(lean.raw), figuresOf(whole));
        assert.deepEqual(JSON.parse(omitMember(lean.raw, 'result').left), JSON.parse(omitMember(whole, 'result').left));
      }),
      { numRuns: propertyRuns },
    );
  });
});

it('a large lean item has every field of the contract, whatever else the item has', () => {
  // Fields beyond the contract have a common budget, which the others exceed, and in whose rest none of these fits.
  const fields = Object.fromEntries(Object.keys(jobItemShape).map((name) => [name, bulk + bulk]));
  const others = Object.fromEntries(Array.from({ length: 200 }, (_, index) => [`x${index}`, bulk]));
  const text = JSON.stringify({ ...others, ...fields, result: { a: bulk } });
  const { raw } = finish(makeLeanLargeItem(new SteppedJson(text, 1000), 0));
  const { result: _result, ...lean } = JSON.parse(raw) as JsonObject;
  assert.ok(Object.keys(lean).length < 200);
  assert.deepEqual(Object.fromEntries(Object.entries(lean).filter(([name]) => !name.startsWith('x'))), fields);
});
