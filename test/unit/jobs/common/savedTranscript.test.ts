import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../../../src/base/json/json.ts';
import { readResult } from '../../../../src/jobs/common/result/jobResult.ts';
import {
  chooseTranscriptFiles,
  readSavableResult,
  writeTranscriptFile,
  type SavableResult,
} from '../../../../src/jobs/common/savedTranscript.ts';
import { transcriptFormats, type TranscriptFormat } from '../../../../src/jobs/common/transcriptFormats.ts';
import { spokenItem } from '../../../support/builders/largeItems.ts';
import { finish } from '../../../support/finish.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { anyResult } from './result/anyResult.ts';

const readResultOf = (job: { readonly raw: string }): SavableResult | undefined => finish(readSavableResult(job));
/** Writes the file in the spoken language; undefined if there is none. */
function writeFile(result: SavableResult, format: TranscriptFormat, title: string): string | undefined {
  const [file] = chooseTranscriptFiles(result, { formats: [format], languages: ['original'] }).files;
  return file && finish(writeTranscriptFile(result, file, { title }));
}

function read(result: JsonValue): SavableResult | undefined {
  return readResultOf({ raw: JSON.stringify({ id: 'a', result }) });
}

describe('A saved transcript', () => {
  it('is offered only in formats that have content', () => {
    const formats = (result: JsonValue): readonly string[] => {
      const read = readResultOf({ raw: JSON.stringify({ result }) });
      return read === undefined ? [] : read.formats;
    };
    const said = { text: 'Hello', start: 1, end: 2 };
    assert.deepEqual(formats(null), []);
    assert.deepEqual(readResultOf({ raw: '{}' }), undefined);
    assert.deepEqual(formats('nothing readable'), ['json']);
    assert.deepEqual(formats({}), ['json']);
    assert.deepEqual(formats({ transcription: { full_transcript: ' ' } }), ['json']);
    assert.deepEqual(formats({ transcription: { full_transcript: 'Hello' } }), ['text', 'turns', 'markdown', 'json']);
    assert.deepEqual(formats({ transcription: { utterances: [said] } }), transcriptFormats);
    const own = {
      transcription: { subtitles: [{ format: 'srt', subtitles: '1\n00:00:01,000 --> 00:00:02,000\nHello\n' }] },
    };
    assert.deepEqual(formats(own), ['srt', 'vtt', 'json']);
  });

  it('is written in each format, with JSON as it was received', () => {
    const raw =
      '{ "result": {"transcription":{"utterances":[ {"text":"Hello\\u00a0!","start":1.50,"end":2,"speaker":0}]}} }';
    const result = readResultOf({ raw });
    assert(result);
    assert.deepEqual(
      transcriptFormats.map((format) => writeFile(result, format, 'A title')),
      [
        'Hello\u00a0!\n',
        '00:01 · Speaker 1 · Hello\u00a0!\n',
        '# A title\n\n**00:01 · Speaker 1**  \nHello\u00a0!\n',
        '1\n00:00:01,500 --> 00:00:02,333\nHello\u00a0!\n',
        'WEBVTT\n\n00:00:01.500 --> 00:00:02.333\nHello\u00a0!\n',
        '{"transcription":{"utterances":[ {"text":"Hello\\u00a0!","start":1.50,"end":2,"speaker":0}]}}\n',
      ],
    );
  });

  it('of hours is read in steps, with the same result as at once', () => {
    const raw = spokenItem('a', 1200);
    const item: unknown = JSON.parse(raw);
    const { transcript } = (isJsonObject(item) ? readResult(item) : undefined) ?? assert.fail();
    assert.ok((transcript?.utterances.length ?? 0) === 300 && raw.length > 1e6);
    const steps = readSavableResult({ raw });
    let count = 0;
    let step = steps.next();
    for (; step.done !== true; step = steps.next()) count++;
    assert.deepEqual(step.value?.versions[0]?.transcript, transcript);
    assert.ok(count > 20, `${count} steps`);
  });

  it('of any result is written in exactly the offered formats, without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyResult, fc.jsonValue() as fc.Arbitrary<JsonValue>), fc.string(), (sent, title) => {
        const result = read(sent);
        if (result === undefined) return assert.equal(sent, null);
        const offered = result.formats;
        for (const format of transcriptFormats) {
          const { files } = chooseTranscriptFiles(result, { formats: [format], languages: 'all' });
          assert.equal(files.length > 0, offered.includes(format), format);
          for (const file of files) assert.notEqual(finish(writeTranscriptFile(result, file, { title })), undefined);
        }
        assert.deepEqual(JSON.parse(writeFile(result, 'json', title) ?? ''), JSON.parse(JSON.stringify(sent)));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('keeps the text exactly, including direction marks and wide spaces', () => {
    const text = 'شكرا\u200f! Bien\u202f? 👩\u200d🚀 日本語';
    const result = read({ transcription: { utterances: [{ text, start: 0, end: 3 }] } });
    assert(result);
    for (const format of ['text', 'turns', 'srt', 'vtt'] as const) {
      assert(writeFile(result, format, '')?.includes(text), format);
    }
  });
});

describe('The files of a result', () => {
  const said = (text: string): JsonValue => ({ text, start: 0, end: 2 });
  const srt = (text: string): JsonValue => ({
    format: 'srt',
    subtitles: `1\n00:00:00,000 --> 00:00:02,000\n${text}\n`,
  });
  const result = read({
    transcription: { languages: ['en'], utterances: [said('Good evening.')], subtitles: [srt('Good evening, sent.')] },
    translation: {
      success: true,
      results: [
        {
          languages: ['fr-CA'],
          full_transcript: 'Bonsoir.',
          utterances: [said('Bonsoir.')],
          subtitles: [srt('Bonsoir, envoyé.')],
        },
        { languages: ['de'], full_transcript: 'Guten Abend.' },
        { languages: ['ja'], success: false, error: { message: 'model is down' } },
        { languages: ['de'], utterances: [said('Guten Abend, du.')] },
      ],
    },
  });
  assert(result);
  const choose = (...languages: readonly string[]): readonly (string | undefined)[] =>
    chooseTranscriptFiles(result, { formats: ['srt', 'text'], languages }).files.map((file) =>
      finish(writeTranscriptFile(result, file, { title: '' })),
    );

  it('are in each chosen language, with the subtitles that the service sent', () => {
    assert.deepEqual(choose('original'), [
      'Good evening.\n',
      '1\n00:00:00,000 --> 00:00:02,000\nGood evening, sent.\n',
    ]);
    const french = ['Bonsoir.\n', '1\n00:00:00,000 --> 00:00:02,000\nBonsoir, envoyé.\n'];
    assert.deepEqual(choose('fr'), french);
    assert.deepEqual(choose('FR-ca'), french);
    assert.deepEqual(choose('de'), [
      'Guten Abend.\n',
      'Guten Abend, du.\n',
      '1\n00:00:00,000 --> 00:00:02,000\nGuten Abend, du.\n',
    ]);
    assert.deepEqual(choose('de-2'), ['Guten Abend, du.\n', '1\n00:00:00,000 --> 00:00:02,000\nGuten Abend, du.\n']);
  });

  it('say how many translations are not read', () => {
    const results = Array.from({ length: 130 }, (_, index) => ({
      languages: [`x-${index}`],
      full_transcript: `Text ${index}`,
    }));
    const many = read({ translation: { success: true, results } });
    assert(many);
    const choice = (languages: 'all' | readonly string[]) =>
      chooseTranscriptFiles(many, { formats: ['text'], languages });
    const unread = 'Only the first 100 translations are read; the service sent 130.';
    const all = choice('all');
    assert.equal(all.files.length, 100);
    assert.deepEqual(all.missing, [unread]);
    assert.deepEqual(choice(['x-99']).missing, []);
    assert.ok(choice(['x-100']).missing.includes(unread));
  });

  it('say what is missing, and why', () => {
    const missing = (languages: 'all' | readonly string[], formats: readonly TranscriptFormat[] = ['srt']) =>
      chooseTranscriptFiles(result, { formats, languages }).missing;
    assert.deepEqual(missing('all'), [
      'The translation into ja failed: model is down',
      'The translation into de has nothing to save as SRT.',
    ]);
    assert.deepEqual(missing(['ja']), ['The translation into ja failed: model is down']);
    assert.deepEqual(missing(['original', 'fr']), []);
    const none = read({ transcription: { full_transcript: 'Hello' } });
    assert(none);
    assert.deepEqual(chooseTranscriptFiles(none, { formats: ['vtt'], languages: ['original', 'es'] }).missing, [
      'The service sent no translation into es.',
      'The transcript has nothing to save as VTT.',
    ]);
    const failed = read({ translation: { success: false, error: { message: 'quota' } } });
    assert(failed);
    assert.deepEqual(chooseTranscriptFiles(failed, { formats: ['text'], languages: 'all' }).missing, [
      'The translation failed: quota',
    ]);
  });

  it('include JSON once, whatever the languages', () => {
    const files = chooseTranscriptFiles(result, { formats: ['json'], languages: 'all' }).files;
    assert.deepEqual(
      files.map(({ format, version }) => [format, version]),
      [['json', undefined]],
    );
  });

  it('say that subtitles of the service could not be used', () => {
    const broken = read({
      transcription: { utterances: [said('Hello.')], subtitles: [{ format: 'vtt', subtitles: '<html>502' }] },
    });
    assert(broken);
    const [file] = chooseTranscriptFiles(broken, { formats: ['vtt'], languages: 'all' }).files;
    assert.deepEqual(file?.notes, [
      "VTT: made from the transcript, because in the service's own subtitles no caption can be read.",
    ]);
  });

  it('have subtitles within the limits of the request', () => {
    const text = 'The quick brown fox jumps over the lazy dog, and then it sleeps.';
    const item = (config: JsonValue): string =>
      JSON.stringify({
        request_params: { subtitles_config: config },
        result: { transcription: { utterances: [{ text, start: 0, end: 60 }] } },
      });
    const rows = (config: JsonValue): readonly number[] => {
      const limited = readResultOf({ raw: item(config) });
      assert(limited);
      const blocks = (writeFile(limited, 'srt', '') ?? '').trim().split('\n\n');
      return [
        Math.max(...blocks.map((block) => block.split('\n').length - 2)),
        Math.max(...blocks.flatMap((block) => block.split('\n').slice(2)).map((row) => row.length)),
      ];
    };
    assert.deepEqual(rows({ maximum_characters_per_row: 70, maximum_rows_per_caption: 1 }), [1, text.length]);
    const [count = 0, width = 0] = rows({ maximum_characters_per_row: 20, maximum_rows_per_caption: 3 });
    assert.ok(count <= 3 && width <= 20 && width > 10);
    for (const config of [
      null,
      [],
      { maximum_characters_per_row: 0, maximum_rows_per_caption: 1e9 },
      { maximum_characters_per_row: '9' },
    ])
      assert.deepEqual(rows(config), rows({}));
  });
});
