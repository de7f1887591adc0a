import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import {
  buildTranscriptView,
  findInTranscript,
  writeViewTranscript,
  writeViewTurn,
  type TranscriptView,
} from '../../../../../src/jobs/common/result/transcriptView.ts';
import { writeTranscript } from '../../../../../src/jobs/common/result/transcriptText.ts';
import { fixtureItem } from '../../../../support/details/fixtureItems.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { finish } from '../../../../support/finish.ts';
import { measureSlowness, threadMs } from '../../../../support/hostile/hostileGuard.ts';

function viewOf(transcription: JsonObject): TranscriptView | undefined {
  const transcript = readResult({ result: { transcription } })?.transcript;
  assert(transcript);
  return buildTranscriptView(transcript);
}

const lines = (texts: readonly string[]): TranscriptView => ({
  lines: texts.map((text) => ({
    time: undefined,
    label: '',
    speaker: undefined,
    text,
    confidence: undefined,
    translations: [],
  })),
  languages: [],
});

describe('The view of a transcript', () => {
  const transcript = readResult(fixtureItem('preRecordedDone'))?.transcript;
  assert(transcript);
  const view = buildTranscriptView(transcript);
  assert(view);

  it('has a line for each utterance, and shows the speaker at the start of a turn', () => {
    assert.deepEqual(
      view.lines.map(({ time, label, text }) => [time, label, text.slice(0, 12)]),
      [
        ['00:00', 'Speaker 1 (en)', 'Every evenin'],
        ['00:05', undefined, 'It was an or'],
        ['00:13', 'Speaker 2 (fr)', "C'est la lum"],
      ],
    );
  });

  it('has the paragraphs of the text without utterances, and is undefined without both', () => {
    assert.deepEqual(
      viewOf({ full_transcript: 'One\n\n\nTwo' })?.lines.map(({ text }) => text),
      ['One', 'Two'],
    );
    assert.equal(viewOf({ full_transcript: ' ', utterances: [] }), undefined);
  });

  it('has translations beside its lines, matched one by one or by their times', () => {
    const said = (text: string, start: number) => ({ text, start, end: start + 1 });
    const translated = (utterances: JsonObject[]) => {
      const read = readResult({
        result: {
          transcription: { utterances: [said('Un', 0), said('Deux', 5), said('Trois', 9)] },
          translation: { success: true, results: [{ languages: ['en'], utterances }, { full_transcript: 'no lines' }] },
        },
      });
      const { transcript: spoken, translations = [] } = read ?? {};
      const built = spoken && buildTranscriptView(spoken, undefined, translations);
      return { languages: built?.languages, texts: built?.lines.flatMap((line) => line.translations) };
    };
    assert.deepEqual(translated([said('One', 0), said('Two', 5), said('Three', 9)]), {
      languages: ['en'],
      texts: ['One', 'Two', 'Three'],
    });
    assert.deepEqual(translated([said('One', 0.5), said('and', 1), said('Two', 5), said('Three', 99)]).texts, [
      'One and',
      'Two',
      'Three',
    ]);
    // The same number of utterances: one by one, whatever their times.
    assert.deepEqual(translated([said('One', 7), said('Two', 8), said('Three', 9)]).texts, ['One', 'Two', 'Three']);
    assert.deepEqual(translated([said('All of it', 0)]).texts, ['All of it', '', '']);
    assert.deepEqual(translated([]).languages, []);
  });

  it('is copied by turn or as a whole', () => {
    assert.equal(
      writeViewTurn(view, 2),
      "00:13 · Speaker 2 (fr) · C'est la lumière qui rentre, disait son père, pas nous.",
    );
    assert.equal(
      `${writeViewTranscript(view)}\n`,
      finish(writeTranscript(transcript, { speakers: true, times: true })),
    );
  });
});

describe('A copied transcript', () => {
  it('has one paragraph for each turn, whatever its text', () => {
    const forged = { text: 'hi\n\n00:12 · Speaker 2 · I agree', startMs: 0, endMs: 1000, speaker: 0 };
    const utterance = { channel: undefined, language: undefined, confidence: undefined, words: [] };
    const utterances = [{ ...utterance, ...forged }];
    const view = buildTranscriptView({ fullText: undefined, languages: [], subtitles: [], utterances });
    assert.equal(view && writeViewTranscript(view), '00:00 · Speaker 1 · hi 00:12 · Speaker 2 · I agree');
  });
});

describe('A long transcript', () => {
  it('names a language where it changes', () => {
    const said = (language: string, speaker: number) => ({ text: 'x', start: 0, end: 1, speaker, language });
    const utterances = [said('en', 0), said('en', 1), said('fr', 0), said('en', 0)];
    assert.deepEqual(
      viewOf({ utterances })?.lines.map(({ label }) => label),
      ['Speaker 1 (en)', 'Speaker 2', 'Speaker 1 (fr)', 'Speaker 1 (en)'],
    );
  });

  it('is written in a time that grows with its length only', () => {
    const paragraphs = 150_000;
    const view = viewOf({ full_transcript: 'abc\n\n'.repeat(paragraphs) });
    assert.equal(view?.lines.length, paragraphs);
    const before = threadMs();
    const text = writeViewTranscript(view);
    const neededMs = threadMs() - before;
    assert.equal(text.length, paragraphs * 5 - 2);
    // Looking for the end of each turn from the beginning takes more than ten seconds.
    assert.ok(neededMs < 3000 * measureSlowness(), `${neededMs} ms`);
  });
});

describe('A search in a transcript', () => {
  it('finds a text at any position and in any case, without wildcards', () => {
    const found = (query: string): readonly unknown[] =>
      findInTranscript(lines(['Ab ab İ', 'c.b', 'c*b']), query).map(({ line, start, end }) => [line, start, end]);
    assert.deepEqual(found('AB'), [
      [0, 0, 2],
      [0, 3, 5],
    ]);
    assert.deepEqual(found('c.b'), [[1, 0, 3]]);
    assert.deepEqual(found('*'), [[2, 1, 2]]);
    assert.deepEqual(found(' '), []);
  });

  it('finds Latin letters with and without their diacritics', () => {
    const found = (query: string): readonly unknown[] =>
      findInTranscript(lines(['im Café Mühlbach', 'im Cafe Muhlbach']), query).map(({ start, end }) => [start, end]);
    for (const query of ['muhlbach', 'MÜHLBACH'])
      assert.deepEqual(
        found(query),
        [
          [8, 16],
          [8, 16],
        ],
        query,
      );
  });

  it('returns only matches of the query', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.string({ unit: 'grapheme' }), (texts, query) => {
        const found = findInTranscript(lines([...texts, `x${query}y`]), query);
        assert.equal(found.length > 0, query.trim() !== '');
        for (const { line, start, end } of found) {
          const at = [...texts, `x${query}y`][line]?.slice(start, end) ?? '';
          assert.equal(at.localeCompare(query, 'en', { sensitivity: 'base' }), 0);
        }
      }),
      { numRuns: propertyRuns },
    );
  });
});
