import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  rankMatch,
  parseJobQuery,
  findMatchedFields,
  buildSearchText,
  wantedInTranscript,
} from '../../../../src/jobs/common/findJobs.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { bareJob } from '../../../support/builders/bareJob.ts';
import { preRecordedItem } from '../../../support/builders/jobItem.ts';
import type { JsonObject } from '../../../../src/base/json/json.ts';

function job(changes: JsonObject = {}): Job {
  const id = '1a2b3c4d-0000-4000-8000-000000000001';
  return bareJob({ id, raw: JSON.stringify(preRecordedItem(changes)) });
}

function fits(query: string, changes?: JsonObject): 0 | 1 | 2 | 3 | undefined {
  return rankMatch(buildSearchText(job(changes)), parseJobQuery(query));
}

test('a full ID or request ID is the best match, followed by its prefix', () => {
  assert.equal(fits('1a2b3c4d-0000-4000-8000-000000000001'), 0);
  assert.equal(fits(' G-1A2B3C4D '), 0);
  assert.equal(fits('1a2b'), 1);
  assert.equal(fits('g-1a'), 1);
  assert.equal(fits('4000'), 2);
});

test('metadata keys and values are found in any case and at any depth', () => {
  assert.equal(fits('harbor'), 2);
  assert.equal(fits('CUSTOMER'), 2);
  assert.equal(fits('episode: 12'), 2);
  assert.equal(fits('blue 12'), 2);
  assert.equal(fits('blue 13'), undefined);
  assert.equal(fits('ﬁeld', { custom_metadata: { a: { b: ['FIELD'] } } }), 2);
  assert.equal(fits('tail', { custom_metadata: { note: `${'x'.repeat(500)} tail` } }), 2);
});

test('Latin letters are found with and without their diacritics, those of other scripts as typed', () => {
  const spoken = {
    custom_metadata: { place: 'Café Noir' },
    result: { transcription: { full_transcript: 'Herr Mühlbach' } },
  };
  assert.equal(fits('cafe noir', spoken), 2);
  assert.equal(fits('CAFÉ', { custom_metadata: { place: 'Cafe' } }), 2);
  assert.equal(fits('cafe\u0301', spoken), 2);
  assert.equal(fits('muhlbach', spoken), 3);
  assert.deepEqual(findMatchedFields(job(spoken), parseJobQuery('muhlbach')), ['transcript: Herr Mühlbach']);
  assert.deepEqual(wantedInTranscript(job(spoken), 'noir Muhlbach'), ['noir Muhlbach', 'muhlbach']);
  assert.equal(fits('ガス', { custom_metadata: { place: 'カス' } }), undefined);
});

test('a pair is also found in the form of filters and reports', () => {
  const acme = { custom_metadata: { customer: 'Northwind Bank', link: 'https://a.example/?token=abc' } };
  assert.equal(fits('customer=Northwind Bank', acme), 2);
  assert.equal(fits('CUSTOMER=north', acme), 2);
  assert.equal(fits('customer=south', acme), undefined);
  assert.equal(fits('bank=Northwind', acme), undefined);
  assert.equal(fits('token=abc', acme), 2);
  assert.deepEqual(findMatchedFields(job(acme), parseJobQuery('customer=north')), ['customer: Northwind Bank']);
});

test('names and times of other fields are not searched', () => {
  assert.equal(fits('completed_at'), undefined);
  assert.equal(fits('2026-11'), undefined);
});

const shown = {
  post_session_metadata: { ended_by: 'caller' },
  request_params: { language_config: { languages: ['cy', 'gd'] }, model: 'Solaria' },
  result: {
    transcription: {
      full_transcript: `${'before '.repeat(50)}The LANTERN is lit\u202e by hand ${'after '.repeat(50)}`,
    },
  },
};

test('post-session metadata, parameters and transcripts are also searched', () => {
  assert.equal(fits('ended_by: caller', shown), 2);
  assert.equal(fits('solaria gd', shown), 2);
  assert.equal(fits('lantern', shown), 3);
  assert.equal(fits('lantern 1a2b', shown), 3);
  assert.equal(fits('lantern nowhere', shown), undefined);
  assert.equal(fits('full_transcript', shown), undefined);
});

test('shows the part of an item that contains the words, with the text around a match', () => {
  const found = (query: string): readonly string[] => findMatchedFields(job(shown), parseJobQuery(query));
  assert.deepEqual(found('caller'), ['post-session metadata: ended_by: caller']);
  assert.deepEqual(found('cy'), ['parameters: language_config.languages: ["cy","gd"]']);
  assert.deepEqual(found('lantern solaria'), [
    'parameters: model: Solaria',
    'transcript: …before before before before before The LANTERN is lit by hand after after after after after after after…',
  ]);
  assert.deepEqual(found('nowhere'), []);
});

test('translations are searched, and the text shown has the whole query if it occurs anywhere', () => {
  const translated = {
    result: {
      transcription: { full_transcript: 'Das Licht ist an. Das ist der Hafen.' },
      translation: { results: [{ languages: ['en'], full_transcript: 'The light is on. This is the harbour light.' }] },
    },
  };
  const found = (query: string): readonly string[] => findMatchedFields(job(translated), parseJobQuery(query));
  assert.equal(fits('harbour', translated), 3);
  assert.deepEqual(found('Licht ist'), ['transcript: Das Licht ist an. Das ist der Hafen.']);
  assert.deepEqual(found('harbour light'), ['translation: The light is on. This is the harbour light.']);
  assert.deepEqual(found('Hafen harbour'), ['transcript: Das Licht ist an. Das ist der Hafen.']);
  const long = `Lit. ${'Before. '.repeat(30)}The lamp is lit by hand. ${'After. '.repeat(30)}`;
  const spoken = { result: { transcription: { full_transcript: long } } };
  assert.match(findMatchedFields(job(spoken), parseJobQuery('is  LIT')).join(''), /The lamp is lit by hand/);
});

test('only words found nowhere else are searched in the transcript, the whole query first', () => {
  assert.deepEqual(wantedInTranscript(job(shown), ' The LANTERN '), ['The LANTERN', 'the', 'lantern']);
  assert.deepEqual(wantedInTranscript(job(shown), 'Lantern solaria'), ['Lantern solaria', 'lantern']);
  assert.deepEqual(wantedInTranscript(job(shown), 'caller solaria'), []);
  assert.deepEqual(wantedInTranscript(job(shown), ''), []);
});

test('items with unexpected metadata are found by their ID', () => {
  for (const custom_metadata of [null, 'text', ['list']]) {
    assert.equal(fits('1a2b', { custom_metadata, request_id: 7 }), 1);
  }
});

test('shows at most three fields that contain the words', () => {
  const metadata = { customer: 'Blue Harbor', a: 'blue 1', b: 'blue 2', c: 'blue 3' };
  const found = findMatchedFields(job({ custom_metadata: metadata }), parseJobQuery('blue'));
  assert.deepEqual(found, ['customer: Blue Harbor', 'a: blue 1', 'b: blue 2']);
  assert.deepEqual(findMatchedFields(job(), parseJobQuery('g-1a')), ['G-1a2b3c4d']);
  assert.deepEqual(findMatchedFields(job(), parseJobQuery('8000')), []);
});
