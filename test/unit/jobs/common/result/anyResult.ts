import fc from 'fast-check';
import type { JsonObject, JsonValue } from '../../../../../src/base/json/json.ts';

const junk: fc.Arbitrary<JsonValue> = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }) as fc.Arbitrary<JsonValue>,
  fc.constantFrom<JsonValue>(null, -1, 1e308, Number.POSITIVE_INFINITY, '<b>', [], {}, [null], { success: false }),
);

/** Usually the value, sometimes something else or nothing. */
function nearly(value: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonValue | undefined> {
  return fc.oneof({ weight: 8, arbitrary: value }, { weight: 1, arbitrary: junk }, fc.constant(undefined));
}

function members(fields: Readonly<Record<string, fc.Arbitrary<JsonValue>>>): fc.Arbitrary<JsonObject> {
  const arbitraries = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, nearly(value)]));
  return fc
    .record(arbitraries)
    .map((read) =>
      Object.fromEntries(
        Object.entries(read).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const])),
      ),
    );
}

const spoken: fc.Arbitrary<string> = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 120 }),
  fc.constantFrom('<i>so</i> --> he & she', 'one\n\ntwo\u0000', 'x'.repeat(100), '# not *a* [heading](x)', ''),
);
const seconds = fc.oneof(fc.double({ min: 0, max: 40_000, noNaN: true }), fc.nat(100));
const code = fc.constantFrom('en', 'fr', 'ja');
const subtitles = members({ format: fc.constantFrom('srt', 'vtt'), subtitles: spoken });

const anyUtterance = members({
  text: spoken,
  start: seconds,
  end: seconds,
  speaker: fc.nat(3),
  channel: fc.nat(1),
  language: code,
  confidence: fc.double({ min: 0, max: 1, noNaN: true }),
  words: fc.array(
    nearly(members({ word: fc.constantFrom(' so', ' far,', '日本'), start: seconds, end: seconds })).map(
      (each) => each ?? null,
    ),
    { maxLength: 4 },
  ),
});

const addOn = (results: fc.Arbitrary<JsonValue>): fc.Arbitrary<JsonObject> =>
  members({
    success: fc.boolean(),
    is_empty: fc.boolean(),
    error: fc.constantFrom<JsonValue>(null, { message: '<b>', status_code: 500 }, 'broke'),
    results,
  });

/** Results of the known shape with parts that are missing, of another type, or hostile. */
export const anyResult: fc.Arbitrary<JsonObject> = members({
  metadata: members({ audio_duration: seconds, billing_time: seconds, number_of_distinct_channels: fc.nat(2) }),
  transcription: members({
    full_transcript: spoken,
    languages: fc.array(code, { maxLength: 3 }),
    utterances: fc.array(
      nearly(anyUtterance).map((each) => each ?? null),
      { maxLength: 6 },
    ),
    subtitles: fc.array(subtitles, { maxLength: 2 }),
  }),
  summarization: addOn(spoken),
  chapterization: addOn(fc.array(members({ headline: spoken, summary: spoken, start: seconds }), { maxLength: 3 })),
  named_entity_recognition: addOn(fc.array(members({ entity_type: spoken, text: spoken }), { maxLength: 3 })),
  audio_to_llm: addOn(
    fc.array(members({ success: fc.boolean(), results: members({ prompt: spoken, response: spoken }) }), {
      maxLength: 2,
    }),
  ),
  translation: addOn(
    fc.array(members({ languages: fc.array(code), full_transcript: spoken, subtitles: fc.array(subtitles) }), {
      maxLength: 2,
    }),
  ),
  moderation: addOn(spoken),
});
