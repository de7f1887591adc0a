import { test } from 'node:test';
import { checkRequest } from '../../../src/language/check.ts';
import type { Finding } from '../../../src/language/request/finding.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { understandPaste } from '../../../src/language/pasted.ts';
import { fixSafely } from '../../../src/language/quickFixes.ts';
import { parseRequest, type RequestFile } from '../../../src/language/request/requestFile.ts';
import { assertLinear } from '../../support/hostile/linearTime.ts';
import { schemaErrors } from './schemaCheck.ts';

const context = { nowMs: 0, knowledge: findServiceKnowledge('gladia') };
const check = (request: RequestFile): readonly Finding[] => checkRequest(request, schemaErrors, context);

/** Creates a request with a text in the place of a value of each schema type. */
const requests: Readonly<Record<string, (text: string) => unknown>> = {
  'the address': (text) => ({ audio_url: text }),
  'a switch': (text) => ({ diarization: text }),
  'a whole number': (text) => ({ diarization_config: { number_of_speakers: text } }),
  'a number': (text) => ({ custom_vocabulary_config: { default_intensity: text } }),
  settings: (text) => ({ subtitles_config: text }),
  'a list': (text) => ({ language_config: { languages: text } }),
  'an entry of a list': (text) => ({ translation_config: { target_languages: [text] } }),
  'a term': (text) => ({ custom_vocabulary_config: { vocabulary: [{ value: text, pronunciations: [text] }] } }),
  'a dictionary': (text) => ({ custom_spelling_config: { spelling_dictionary: { a: text } } }),
  'a member of a set': (text) => ({ summarization_config: { type: text } }),
  'an old name': (text) => ({ language: text }),
  'the name of a field': (text) => ({ [text]: true }),
};

for (const [place, make] of Object.entries(requests)) {
  test(`checks a hostile text as ${place} in time linear in its length`, () => {
    assertLinear((text) => fixSafely(parseRequest(JSON.stringify(make(text))), check));
  });
}

test('pastes a hostile text in time linear in its length', () => {
  const empty = parseRequest('{}');
  const selected = { offset: 1, length: 0 };
  const body = (text: string) => ({ diarize: true, diarization_config: { number_of_speakers: text } });
  assertLinear((text) => understandPaste(empty, selected, JSON.stringify(body(text))));
});
