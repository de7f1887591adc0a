import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSync } from 'subtitle';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import type { Transcript, Utterance } from '../../../../../src/jobs/common/result/transcript.ts';
import {
  breakRows,
  makeCaptions,
  writeSubtitles,
  type Caption,
  type SubtitleFormat,
} from '../../../../../src/jobs/common/result/subtitles.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';
import { finish } from '../../../../support/finish.ts';

const said = (text: string, startMs: number | undefined, endMs?: number): Utterance => ({
  text,
  startMs,
  endMs,
  speaker: undefined,
  channel: undefined,
  language: undefined,
  confidence: undefined,
  words: [],
});
const transcript = (utterances: readonly Utterance[], own: Transcript['subtitles'] = []): Transcript => ({
  fullText: undefined,
  languages: [],
  utterances,
  subtitles: own,
});

/** Reads subtitles with a third-party parser. */
function readCues(text: string, format: SubtitleFormat): readonly Caption[] {
  const [header, ...others] = parseSync(text);
  assert.equal(header?.type === 'header', format === 'vtt' && text !== '');
  return [...(header?.type === 'cue' ? [header] : []), ...others].map((node) => {
    const { start: startMs, end: endMs, text: rows } = node.type === 'cue' ? node.data : assert.fail('a second header');
    return { startMs, endMs, rows: (format === 'srt' ? rows : unescapeCue(rows)).split('\n') };
  });
}

function unescapeCue(row: string): string {
  assert(!/[<>]/.test(row));
  return row.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('Subtitles', () => {
  const fits = (format: SubtitleFormat, text: string): boolean =>
    finish(writeSubtitles(transcript([said('Hello', 0, 1000)], [{ format, text }]), format)) === text;

  it('of the service are used only if a player can read them', () => {
    assert.equal(
      fits(
        'vtt',
        '\uFEFFWEBVTT - by us\n\n00:01.000 --> 00:02.000 align:start\nOne\n\n00:01.000 --> 01:00:02.000\nTwo\n',
      ),
      true,
    );
    for (const text of [
      'WEBVTT',
      '<html>502</html>',
      'WEBVTT\n\n00:05.000 --> 00:06.000\nlater\n\n00:01.000 --> 00:02.000\nearlier\n',
      'WEBVTT\n\n00:01,000 --> 00:02,000\nOne\n',
      'WEBVTT\n\n00:02.000 --> 00:01.000\nOne\n',
      'WEBVTT\n\n00:01.000 --> 00:02.000\n\0\n',
      '00:01.000 --> 00:02.000\nOne\n',
    ])
      assert.equal(fits('vtt', text), false, text);
    for (const text of [
      '',
      '1\n…\n',
      'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nOne\n',
      '1\n00:00:01.000 --> 00:00:02.000\nOne\n',
    ])
      assert.equal(fits('srt', text), false, text);
  });

  it('start in order even if one speaker interrupts another', () => {
    const long = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');
    const captions = finish(
      makeCaptions([said(long, 0, 20_000), said('yes', 1000, 2000)].map((each) => ({ ...each }))),
    );
    const starts = captions.map(({ startMs }) => startMs);
    assert.deepEqual(
      starts,
      [...starts].sort((a, b) => a - b),
    );
    assert.equal(captions[1]?.rows[0], 'yes');
  });

  it('use the times of words for an utterance without times, and ignore words outside of their utterance', () => {
    const words = [{ text: 'later', startMs: 5000, endMs: 6000 }];
    const [untimed] = finish(makeCaptions([{ ...said('later', 0, 1), startMs: undefined, endMs: undefined, words }]));
    assert.deepEqual([untimed?.startMs, untimed?.endMs], [5000, 6000]);
    const long = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');
    const texts = long.split(' ');
    for (const stray of texts.keys()) {
      const astray = texts.map((text, place) => {
        return { text, startMs: place * 100, endMs: place === stray ? 114_000 : place * 100 + 90 };
      });
      assert.ok(finish(makeCaptions([{ ...said(long, 0, 5000), words: astray }])).every(({ endMs }) => endMs <= 5000));
    }
  });

  it('use the times of words up to a second outside of their utterance, but not beyond', () => {
    const texts = Array.from({ length: 40 }, (_, place) => `word${place}`);
    const firstEnd = (startMs: number, endMs: number): number | undefined => {
      // All words but the last are said at once.
      const words = texts.map((text, place) => ({ text, startMs, endMs: place === 39 ? endMs : startMs + place + 1 }));
      return finish(makeCaptions([{ ...said(texts.join(' '), 2000, 5000), words }]))[0]?.endMs;
    };
    const byShare = firstEnd(2000, 6001);
    assert.ok(byShare !== undefined && byShare > 2100);
    assert.equal(firstEnd(999, 5000), byShare);
    assert.ok((firstEnd(2000, 6000) ?? byShare) < 2100);
    assert.ok((firstEnd(1000, 5000) ?? byShare) < 2100);
  });

  it('split no grapheme cluster', () => {
    const family = '👨‍👩‍👧‍👦';
    assert.ok(breakRows(family.repeat(9)).every((row) => row.length <= 42 && row.length % family.length === 0));
    assert.ok(breakRows(`e${'\u0301'.repeat(100)}`).every((row) => row.length <= 42));
  });

  it('are those of the service if it made some', () => {
    const text = '1\r\n00:00:00,000 --> 00:00:01,500\r\nHello!\r\n';
    const own = [{ format: 'SRT', text }];
    assert.equal(finish(writeSubtitles(transcript([said('Hello', 0, 1000)], own), 'srt')), text);
    assert.match(
      finish(writeSubtitles(transcript([said('Hello', 0, 1000)], own), 'vtt')) ?? '',
      /^WEBVTT\n\n00:00:00\.000 -->/,
    );
  });

  it('are made from utterances in order of time, without those that have no time', () => {
    const utterances = [said('Later', 3_661_001, 3_662_000), said('Nowhere', undefined), said('Bread & <b>', 500, 900)];
    assert.equal(
      finish(writeSubtitles(transcript(utterances), 'srt')),
      '1\n00:00:00,500 --> 00:00:00,900\nBread & <b>\n\n2\n01:01:01,001 --> 01:01:02,000\nLater\n',
    );
    assert.equal(
      finish(writeSubtitles(transcript(utterances), 'vtt')),
      'WEBVTT\n\n00:00:00.500 --> 00:00:00.900\nBread &amp; &lt;b&gt;\n\n01:01:01.001 --> 01:01:02.000\nLater\n',
    );
    assert.equal(finish(writeSubtitles(transcript([said('Nowhere', undefined)]), 'srt')), undefined);
  });

  it('split long text, with time for each caption in proportion to its length', () => {
    const captions = finish(makeCaptions([said('word '.repeat(40), 0, 10_000)]));
    assert.deepEqual(
      captions.map(({ startMs, endMs, rows }) => [startMs, endMs, rows.length]),
      [
        [0, 4000, 2],
        [4000, 8000, 2],
        [8000, 10_000, 1],
      ],
    );
  });

  it('split at the times of words if the service reports them', () => {
    const text = `${'slow '.repeat(16)}${'fast '.repeat(32)}`.trim();
    const words = text.split(' ').map((word, index) => {
      const startMs = index < 16 ? index * 1000 : 16_000 + (index - 16) * 100;
      return { text: ` ${word}`, startMs, endMs: startMs + 90 };
    });
    const shown = { ...said(text, 0, 20_000), words };
    assert.deepEqual(
      finish(makeCaptions([shown])).map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 15_090],
        [16_000, 17_590],
        [17_600, 20_000],
      ],
    );
    assert.deepEqual(
      finish(makeCaptions([{ ...shown, words: words.map((word) => ({ ...word, text: `${word.text},` })) }])).map(
        ({ startMs }) => startMs,
      ),
      [0, 16_000, 17_600],
      'words with another spelling are found by their share',
    );
    assert.deepEqual(finish(makeCaptions([{ ...shown, words: [] }]))[1]?.startMs, 6667);
    const two = words.slice(0, 32);
    assert.deepEqual(
      finish(makeCaptions([{ ...said(text.split(' ').slice(0, 32).join(' '), 0, 20_000), words: two }])).map(
        ({ startMs }) => startMs,
      ),
      [0, 16_000],
      'into two as well',
    );
  });

  it('end before the next caption if their end is unknown', () => {
    const captions = finish(makeCaptions([said('a', 0), said('b', 700), said('c', 10_000)]));
    assert.deepEqual(
      captions.map(({ endMs }) => endMs),
      [700, 2700, 12_000],
    );
  });

  it('break between words, and split only words longer than a row', () => {
    const text = `${'x'.repeat(50)} and then some more words that need another row`;
    assert.deepEqual(breakRows(text), ['x'.repeat(42), 'xxxxxxxx and then some more words that', 'need another row']);
    assert.deepEqual(breakRows(' \n\u0000 '), []);
  });

  it('break text into as few rows as possible, of similar length', () => {
    assert.deepEqual(breakRows('Thank you for calling Harbour Lights, how can I help you today?'), [
      'Thank you for calling Harbour',
      'Lights, how can I help you today?',
    ]);
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1, maxLength: 60 }), (words) => {
        const rows = breakRows(words.join(' '));
        assert.equal(rows.join(' '), words.join(' '));
        const greedy: string[] = [''];
        for (const word of words) {
          const row = greedy.at(-1) ?? '';
          if (row.length + 1 + word.length <= 42 || row === '') greedy[greedy.length - 1] = `${row} ${word}`.trim();
          else greedy.push(word);
        }
        assert.equal(rows.length, greedy.length);
        assert.ok(Math.max(...rows.map((row) => row.length)) <= Math.max(...greedy.map((row) => row.length)));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('are read back exactly by another parser', () => {
    fc.assert(
      fc.property(anyResult, fc.constantFrom('srt' as const, 'vtt' as const), (result, format) => {
        const read = readResult({ result })?.transcript;
        if (read === undefined) return;
        const made = finish(makeCaptions(read.utterances));
        assert.deepEqual(readCues(finish(writeSubtitles({ ...read, subtitles: [] }, format)) ?? '', format), made);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('of any result have rows that fit, increasing times, and nothing that ends a caption early', () => {
    fc.assert(
      fc.property(anyResult, fc.constantFrom('srt' as const, 'vtt' as const), (result, format) => {
        const read = readResult({ result })?.transcript;
        if (read === undefined) return;
        const text = finish(writeSubtitles({ ...read, subtitles: [] }, format)) ?? '';
        const blocks = text.split('\n\n').slice(format === 'vtt' ? 1 : 0);
        const captions = finish(makeCaptions(read.utterances));
        assert.equal(text === '' ? 0 : blocks.length, captions.length);
        for (const { startMs, endMs, rows } of captions) {
          assert(endMs > startMs && rows.length >= 1 && rows.length <= 2);
          assert(rows.every((row) => row.length <= 42 && row.trim() === row && row !== '' && !row.includes('-->')));
        }
      }),
      { numRuns: propertyRuns },
    );
  });

  it('contain every word that has a time', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme-ascii', maxLength: 200 })), (texts) => {
        const utterances = texts.map((text, index) => said(text, index * 1000, index * 1000 + 999));
        const letters = (rows: readonly string[]): string => rows.join('').replaceAll(/[\p{Cc}\s]|-->|→/gu, '');
        assert.equal(letters(finish(makeCaptions(utterances)).flatMap(({ rows }) => rows)), letters(texts));
      }),
      { numRuns: propertyRuns },
    );
  });
});
