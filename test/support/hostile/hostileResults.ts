import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatJsonInParts } from '../../../src/base/json/formatJson.ts';
import { buildJobView, isTooLargeToShow } from '../../../src/features/details/common/buildJobView.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
} from '../../../src/jobs/common/savedTranscript.ts';
import { transcriptFormats, type TranscriptFormat } from '../../../src/jobs/common/transcriptFormats.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { bareJob } from '../builders/bareJob.ts';
import { finish } from '../finish.ts';
import { markedKey } from './keyForms.ts';
import { assertQuick, joinParts, maxBlockMs, nested } from './quickSteps.ts';

const viewFacts = { title: 'a', nowMs: 0, locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };

/**
 * Declares a test for each hostile result of a job: no step of saving it, or of making its page, may take longer than the product
 * guarantees.
 * @param scale of the times
 * @param resultLength in characters
 */
export function testHostileResults(scale: number, resultLength: number): void {
  // The amount that is read of each item is bounded, so not all times are proportional.
  const maxMs = maxBlockMs * Math.max(scale, 0.5);
  const quick = (readers: Parameters<typeof assertQuick>[0]): void => assertQuick(readers, maxMs);

  /** Results of jobs, each of which may be as long as a response. */
  const longer = (unit: string, length = resultLength): string => unit.repeat(length / unit.length);
  const utteranceOf = (unit: string, length?: number): string =>
    `"utterances":[{"text":"${longer(unit, length)}","start":1,"end":9}]`;
  const results: Readonly<Record<string, () => string>> = {
    'many utterances': () =>
      `"utterances":[${joinParts((index) => `{"text":"a","start":${index},"end":${index + 1}}`, resultLength)}]`,
    'utterances in no order': () =>
      `"utterances":[${joinParts((index) => `{"text":"a","start":${(index * 7919) % 99991},"speaker":${index % 2}}`, resultLength)}]`,
    'one long utterance': () => `"utterances":[{"text":"${longer('word ')}","start":1,"end":9}]`,
    'one long word': () => `"utterances":[{"text":"${longer('a')}","start":1,"end":9}]`,
    'many markup signs': () => `"utterances":[{"text":"${longer('*_# ')}","start":1,"end":9}]`,
    'many words': () =>
      `"utterances":[{"text":"${'a b '.repeat(99)}","start":1,"end":9,"words":[${joinParts((index) => `{"word":"a","start":${index},"end":${index}}`, resultLength)}]}]`,
    'utterances of nothing': () => `"utterances":[${joinParts(() => '{}', resultLength)}]`,
    'utterances of controls': () =>
      String.raw`"utterances":[${joinParts(() => String.raw`{"text":"\u0000","start":1}`, resultLength)}]`,
    'a long text': () => `"full_transcript":"${longer('a b\\n\\n')}"`,
    'many languages': () => `"languages":[${joinParts((index) => `"l${index}"`, resultLength)}],"full_transcript":"a"`,
    'many subtitles': () => `"subtitles":[${joinParts(() => '{"format":"srt","subtitles":"a"}', resultLength)}]`,
    'long subtitles': () =>
      `"subtitles":[{"format":"srt","subtitles":"${longer('00:00:01,000 --> 00:00:02,000\\n')}"}]`,
    'subtitles of arrows': () => `"subtitles":[{"format":"srt","subtitles":"${longer('-->')}"}]`,
    'subtitles of line breaks': () => `"subtitles":[{"format":"vtt","subtitles":"WEBVTT\\n${longer('\\r')}"}]`,
    'many numbered subtitles': () =>
      `"subtitles":[{"format":"srt","subtitles":"${longer('1\\n00:00:01,000 --> 00:00:02,000\\n<b>a</b>\\n\\n')}"}]`,
    'subtitles of one long caption': () =>
      `"subtitles":[{"format":"srt","subtitles":"1\\n00:00:01,000 --> 00:00:02,000\\n${longer('<font <b 1\\n \\n')}"}]`,
    'deep values': () => `"utterances":[${joinParts(() => nested('[', ']', 190), resultLength)}]`,
  };

  /** Units of utterances that are slow to break into captions. */
  const scripts: Readonly<Record<string, string>> = {
    'an utterance of combining marks': '\u0301',
    'an utterance of joined emoji': '👩\u200d',
    'an utterance of zero-width spaces': 'a\u200b',
    'an utterance of directions': '\u202eא\u202c',
    'an utterance in Arabic': 'مساء الخير، ',
    'an utterance in Chinese': '我们先来看一下上个季度的销售数据',
    'an utterance in Japanese': '彼女はたずねました',
    'an utterance in Thai': 'วันนี้เราจะคุยกันเรื่องแผนงาน',
    'an utterance of separators': '-/',
    'an utterance of a long address': 'a/b-',
    'an utterance of closing punctuation': '。」',
    'an utterance of titles': 'Dr. ',
  };

  /** In characters. Breaking captions takes microseconds for each: with longer utterances in all scripts, the test would take a quarter of an hour. */
  const subtitledLength = Math.min(resultLength, 5_000_000);
  const isSubtitles = (format: TranscriptFormat): boolean => format === 'srt' || format === 'vtt';
  const saved: readonly (readonly [string, () => string, readonly TranscriptFormat[]])[] = [
    ...Object.entries(results).map(([name, make]) => [name, make, transcriptFormats] as const),
    ...Object.entries(scripts).flatMap(
      ([name, unit]) =>
        [
          [name, () => utteranceOf(unit), transcriptFormats.filter((format) => !isSubtitles(format))],
          [`${name}, as subtitles,`, () => utteranceOf(unit, subtitledLength), transcriptFormats.filter(isSubtitles)],
        ] as const,
    ),
  ];

  for (const [name, makeTranscription, formats] of saved) {
    test(`saving a transcript with ${name} blocks nothing`, () => {
      const raw = `{"id":"a","result":{"transcription":{${makeTranscription()}}}}`;
      const keyMask = new KeyMask(markedKey);
      quick({
        formatted: () => formatJsonInParts(raw),
        masked: () => keyMask.applyToJson(raw.replace('{"id":"a"', `{"id":"${markedKey}"`)),
        read: () => readSavableResult({ raw }),
      });
      const read = finish(readSavableResult({ raw }));
      assert.ok(read !== undefined);
      const { files } = chooseTranscriptFiles(read, { formats, languages: 'all' });
      quick(
        Object.fromEntries(files.map((file) => [file.format, () => writeTranscriptFile(read, file, { title: 'a' })])),
      );
    });
  }

  /** Results of the max length that the page of a job shows. */
  const pageLength = Math.min(resultLength, 5_900_000);
  const pages: Readonly<Record<string, () => string>> = {
    'many utterances': () =>
      `"transcription":{"utterances":[${joinParts((index) => `{"text":"a","start":${index},"speaker":${index % 2}}`, pageLength)}]}`,
    'utterances of nothing': () => `"transcription":{"utterances":[${joinParts(() => '{}', pageLength)}]}`,
    'many words': () =>
      `"transcription":{"utterances":[{"text":"a","words":[${joinParts((index) => `{"word":"a","start":${index},"end":${index}}`, pageLength)}]}]}`,
    'many add-ons': () => joinParts((index) => `"a${index}":{"success":false}`, pageLength),
    'many entities': () =>
      `"named_entity_recognition":{"success":true,"results":[${joinParts(() => '{"entity_type":"a","text":"b"}', pageLength)}]}`,
    'a long text': () => `"transcription":{"full_transcript":"${'a b '.repeat(pageLength / 4)}"}`,
  };

  for (const [name, makeResult] of Object.entries(pages)) {
    test(`a result with ${name} blocks no page`, () => {
      const job = bareJob({ raw: `{"id":"a","result":{${makeResult()}}}`, status: 'done' });
      // The number of parts of a page is bounded, and a short result may have as many as a long one.
      assertQuick({ page: () => (isTooLargeToShow(job) ? undefined : buildJobView(job, viewFacts)) }, maxBlockMs);
    });
  }

  test('there are at least 30 hostile results', () => {
    const inputs = [results, scripts, pages].reduce((sum, each) => sum + Object.keys(each).length, 0);
    assert.ok(inputs >= 30, String(inputs));
  });
}
