import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../../../../src/base/failure.ts';
import { decodePage, type DecodedPage } from '../../../../../src/jobs/common/decodePage.ts';
import { readJobItem, type ListEntry } from '../../../../../src/jobs/common/job.ts';
import { decodeJob } from '../../../../../src/jobs/common/decodeJob.ts';
import { listFailedAddOns } from '../../../../../src/jobs/common/failedAddOns.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import { readPage } from '../../../../../src/jobs/node/api/readPage.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { anyCharacter } from '../../../../support/anyCharacter.ts';
import { anyResult } from '../../common/result/anyResult.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const kind = 'pre-recorded';
/** Max length of an item's text that is parsed at once. */
const maxLeanCharacters = 256 * 1024;

/** Runs all steps and counts them. */
function read(text: string, limit?: number, stepCharacters?: number): DecodedPage & { readonly steps: number } {
  const reading = readPage(text, { kind, limit }, stepCharacters);
  for (let steps = 0; ; steps++) {
    const step = reading.next();
    if (step.done === true) return { ...step.value, steps };
  }
}

function pageOf(items: readonly string[], next = 'null'): string {
  return `{"first":"","current":"","next":${next},"items":[${items.join(',')}]}`;
}

const item = (id: number, more: object = {}): string => JSON.stringify(preRecordedItem({ id: `job-${id}`, ...more }));
const ids = (entries: readonly ListEntry[]): readonly (string | undefined)[] =>
  entries.map((each) => (each.type === 'job' ? each.id : undefined));
const outcome = (act: () => DecodedPage): unknown => {
  try {
    const { entries, hasMore, deviations } = act();
    return { entries, hasMore, deviations };
  } catch (error) {
    assert.ok(error instanceof Failure, String(error));
    return error.code;
  }
};

suite('readPage', () => {
  test('reads any page in steps with the same result as at once', () => {
    const value = fc.jsonValue({ maxDepth: 3 });
    const page = fc.record(
      {
        first: fc.oneof(fc.webUrl(), value),
        next: fc.oneof(fc.constant(null), fc.webUrl(), value),
        items: fc.oneof(
          {
            weight: 5,
            arbitrary: fc.array(fc.oneof(fc.record({ id: fc.string({ unit: anyCharacter }) }), value), {
              maxLength: 4,
            }),
          },
          { weight: 1, arbitrary: value },
        ),
        other: value,
      },
      { requiredKeys: [] },
    );
    const space = fc.constantFrom(undefined, 1, '\t');
    fc.assert(
      fc.property(page, space, fc.integer({ min: 1, max: 40 }), (each, spacing, stepCharacters) => {
        const text = JSON.stringify(each, undefined, spacing);
        assert.deepEqual(
          outcome(() => read(text, undefined, stepCharacters)),
          outcome(() => decodePage(text, kind)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  test('reads a broken text as a failure or a page, in steps of any size', () => {
    const text = pageOf([item(1), '"a\\"]}"', '{"id":"b","x":[1,{"y":"\\\\"}]}'], '"n"');
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(30), fc.integer({ min: 1, max: 40 }), (at, length, stepCharacters) => {
        outcome(() => read(text.slice(0, at) + text.slice(at + length), 2, stepCharacters));
      }),
      { numRuns: propertyRuns },
    );
    const halves = Array.from({ length: text.length - 1 }, (_, at) => outcome(() => read(text.slice(0, at), 9, 10)));
    assert.deepEqual(new Set(halves), new Set(['notJson']));
  });

  for (const [name, stepCharacters] of [
    ['at once', undefined],
    ['in steps', 100],
  ] as const) {
    test(`read ${name}, items beyond the limit are left out, and the page announces more`, () => {
      const text = pageOf([1, 2, 3, 4, 5].map((id) => item(id)));
      const page = read(text, 3, stepCharacters);
      assert.deepEqual(ids(page.entries), ['job-1', 'job-2', 'job-3']);
      assert.ok(page.hasMore);
      assert.ok(page.deviations.some((each) => each.kind === 'tooMany' && each.path === 'items'));
      assert.deepEqual(
        outcome(() => read(text, 5, stepCharacters)),
        outcome(() => decodePage(text, kind)),
      );
    });

    test(`read ${name}, only an item deeper than 200 levels is unreadable`, () => {
      const nested = (depth: number): string => `{"id":"x","deep":${'['.repeat(depth - 1)}${']'.repeat(depth - 1)}}`;
      const text = pageOf([item(1), nested(200), nested(201), item(2)]);
      const { entries } = read(text, undefined, stepCharacters);
      assert.deepEqual(ids(entries), ['job-1', 'x', undefined, 'job-2']);
      assert.match(entries[2]?.raw ?? '', /^"?\{\\?"id\\?":\\?"x\\?",\\?"deep\\?":\[\[/);
    });
  }

  test('an item with more values, names or text than any transcript is a job with truncated fields', () => {
    const values = (count: number): string => `{"id":"values","x":[${Array(count).fill('0').join(',')}]}`;
    const names = (count: number): string =>
      `{"id":"names","custom_metadata":{${Array.from({ length: count }, (_, index) => `"name number ${index}":0`).join(',')}}}`;
    const text = (length: number): string => `{"id":"text","x":"${'x'.repeat(length)}"}`;
    const rows = [values(300_000), names(30_000), text(20 * 1024 * 1024), item(1)];
    const { entries, steps } = read(pageOf(rows));
    assert.deepEqual(ids(entries), ['values', 'names', 'text', 'job-1']);
    assert.deepEqual(
      entries.map(({ whole }) => whole?.text),
      [...rows.slice(0, 3), undefined],
    );
    assert.ok(entries.every(({ raw }) => raw.length < maxLeanCharacters && JSON.parse(raw) !== undefined));
    assert.match(entries[1]?.raw ?? '', /"name number 999":0/);
    // Yields to other work after each quarter of a mebibyte.
    assert.ok(steps > 4 * 20, String(steps));
  });

  test('a large item is decoded to the same fields as if it were parsed', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    const field = fc.constantFrom(
      'id',
      'kind',
      'status',
      'created_at',
      'completed_at',
      'error_code',
      'custom_metadata',
    );
    const known = fc.oneof(
      value,
      fc.constantFrom('live', 'done', '2026-03-14T15:09:26.535Z', 'a', '7', 12, -1e300, 1e21),
    );
    const members = fc.array(
      fc.oneof(
        fc.tuple(field, known),
        fc.tuple(fc.string({ unit: anyCharacter }), value),
        fc.tuple(fc.constant('result'), value),
      ),
      { maxLength: 12 },
    );
    const place = fc.nat(12);
    const space = fc.constantFrom('', ' ', '\n\t');
    const bulk = `"bulk":[${'["]}\\\\",{}],'.repeat(30_000)}0]`;
    fc.assert(
      fc.property(members, place, space, fc.boolean(), (each, at, gap, hasId) => {
        const texts = each.map(([name, content]) => `${JSON.stringify(name)}${gap}:${gap}${JSON.stringify(content)}`);
        if (hasId) texts.unshift('"id":"job"');
        const large = `{${texts.toSpliced(at, 0, bulk).join(`${gap},${gap}`)}${gap}}`;
        const [entry] = read(pageOf([large])).entries;
        assert.ok(entry);
        const { raw, whole, ...decoded } = entry;
        const { raw: _raw, ...parsed } = decodeJob(JSON.parse(large), large, kind, () => undefined);
        assert.deepEqual(decoded, parsed);
        assert.equal(whole?.text, large);
        assert.ok(raw.length < maxLeanCharacters);
        assert.deepEqual(listFailedAddOns({ raw: entry.raw }), listFailedAddOns({ raw: large }));
      }),
      // Fewer: each parses a third of a megabyte.
      { numRuns: Math.min(propertyRuns, 1000) },
    );
  });

  test('a large result keeps its figures and failed add-ons', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const large = JSON.stringify({ id: 'a', result: { ...result, padding: 'x'.repeat(300_000) } });
        const { raw } = read(pageOf([large])).entries[0] ?? assert.fail('it is listed');
        const figuresOf = (text: string): unknown => readResult(readJobItem({ raw: text }))?.figures;
        assert.deepEqual(listFailedAddOns({ raw }), listFailedAddOns({ raw: large }));
        assert.deepEqual(figuresOf(raw), figuresOf(large));
      }),
      // Fewer: each parses a third of a megabyte.
      { numRuns: Math.min(propertyRuns, 1000) },
    );
  });

  test('a large item that is not a job is unreadable, and its whole text is kept', () => {
    const rows = [`["${'x'.repeat(300_000)}"]`, `{"name":"${'x'.repeat(300_000)}"}`, `"${'x'.repeat(300_000)}"`];
    const { entries } = read(pageOf(rows));
    assert.deepEqual(ids(entries), [undefined, undefined, undefined]);
    assert.deepEqual(
      entries.map(({ whole }) => whole?.text),
      rows,
    );
    assert.ok(entries.every(({ raw }) => raw.length < 3000 && JSON.parse(raw) !== undefined));
  });

  test('large items that differ in one character have different digests', () => {
    const digests = ['a', 'b', '\u{1f600}', '\u{1f601}'].map((mark) => {
      const page = pageOf([`{"id":"a","x":"${'x'.repeat(1024 * 1024 - 15)}${mark}y"}`]);
      return read(page).entries[0]?.whole?.digest;
    });
    assert.equal(new Set(digests).size, 4);
  });

  test('a transcript of five hours is readable', () => {
    const word = { word: 'word', start: 12.345, end: 12.678, confidence: 0.99 };
    const words = Array.from({ length: 45_000 }, () => word);
    assert.deepEqual(ids(read(pageOf([item(7, { result: { words } })])).entries), ['job-7']);
  });

  test('lists the fields of a large item that are truncated in a row', () => {
    const metadata = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`key ${index}`, index]));
    const cutOf = (more: object): unknown =>
      read(pageOf([item(1, { result: 'a'.repeat(300_000), ...more })])).entries.map((each) =>
        each.type === 'job' ? each.cutFields : undefined,
      );
    assert.deepEqual(cutOf({}), [undefined]);
    assert.deepEqual(cutOf({ custom_metadata: metadata }), [['custom_metadata']]);
    assert.deepEqual(cutOf({ request_params: { words: 'a'.repeat(50_000) } }), [['request_params']]);
  });

  test('reports unknown fields once, however many they are', () => {
    const fields = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`field ${index}`, 0]));
    for (const stepCharacters of [undefined, 1000]) {
      const { deviations } = read(pageOf([item(1, fields), item(2)]), undefined, stepCharacters);
      assert.equal(deviations.filter(({ kind }) => kind === 'unknownField').length, 1);
    }
  });

  test('accepts a page URL of any length', () => {
    const { entries, hasMore } = read(pageOf([item(1)], JSON.stringify(`https://a.test/${'x'.repeat(300_000)}`)));
    assert.deepEqual([ids(entries), hasMore], [['job-1'], true]);
  });

  test('rejects a long text that is not a page', () => {
    const filler = ' '.repeat(300_000);
    const code = (text: string): unknown => outcome(() => read(text + filler));
    assert.deepEqual(
      [
        '[]',
        '"text"',
        '{}',
        '{"items":[],"items":null}',
        '<html>',
        '{"items":[]',
        '{"items":[]}}',
        '{"items":[1,]}',
      ].map(code),
      [
        'unexpectedShape',
        'unexpectedShape',
        'unexpectedShape',
        'unexpectedShape',
        'notJson',
        'notJson',
        'notJson',
        'notJson',
      ],
    );
  });
});
