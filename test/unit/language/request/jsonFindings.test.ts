import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { findSchemaErrors } from '../../../../src/language/request/jsonFindings.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { editedText } from '../jsonTexts.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { schemaErrors } from '../schemaCheck.ts';

/** Members of lists that have no, one or several errors of each keyword. */
const element = fc.constantFrom<unknown>(
  1,
  null,
  [],
  'srt',
  'xx',
  '',
  {},
  { value: 1 },
  { value: 'a', pronunciations: 2 },
);
const list = fc.array(element, { maxLength: 30 });
const body = fc.record(
  {
    audio_url: fc.constantFrom<unknown>('https://media.example.com/a.mp3', 1, {}),
    language_config: fc.record({ languages: list, code_switching: element }, { requiredKeys: [] }),
    custom_vocabulary_config: fc.record({ vocabulary: list, default_intensity: element }, { requiredKeys: [] }),
    custom_spelling_config: fc.record({ spelling_dictionary: fc.dictionary(fc.string(), element) }),
    subtitles_config: fc.record({ formats: list, minimum_duration: element }, { requiredKeys: [] }),
    translation_config: fc.record({ target_languages: list, model: element }, { requiredKeys: [] }),
    summarization_config: fc.record({ type: element }),
  },
  { requiredKeys: [] },
);
const text = body.map((value) => JSON.stringify(value));

test('finds the same first schema errors, whatever number the validator keeps', () => {
  const numbersOfFindings = new Set<number>();
  fc.assert(
    fc.property(
      fc.oneof(
        text,
        editedText(text).map(([, edited]) => edited),
      ),
      fc.integer({ min: 1, max: 12 }),
      (given, limit) => {
        const request = parseRequest(given);
        const findings = findSchemaErrors(request, schemaErrors, undefined, limit);
        numbersOfFindings.add(findings.length);
        assert.deepEqual(
          findings,
          findSchemaErrors(request, (value) => schemaErrors(value), undefined, limit),
        );
      },
    ),
    { numRuns: propertyRuns },
  );
  assert.ok(numbersOfFindings.size > 5, 'few different numbers of findings');
});

test('keeps at most so many errors of each keyword, and the first of all', () => {
  const errors = schemaErrors(
    { custom_vocabulary_config: { vocabulary: Array.from({ length: 100_000 }, () => ({})) } },
    500,
  );
  assert.equal(errors.length, 501);
  assert.equal(schemaErrors({ custom_vocabulary_config: { vocabulary: [1, 1, 1] } }).length, 3);
  assert.deepEqual(schemaErrors({}, 1), []);
});
