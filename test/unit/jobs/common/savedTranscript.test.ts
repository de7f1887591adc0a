import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isJsonObject, type JsonValue } from '../../../../src/base/json/json.ts';
import { readResult } from '../../../../src/jobs/common/result/jobResult.ts';
import {
  nameTranscriptFile,
  readSavableResult,
  transcriptFormats,
  writeTranscriptFile,
  type SavableResult,
} from '../../../../src/jobs/common/savedTranscript.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { spokenItem } from '../../../support/builders/largeItems.ts';
import { finish } from '../../../support/finish.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { anyResult } from './result/anyResult.ts';

const readResultOf = (job: { readonly raw: string }): SavableResult | undefined => finish(readSavableResult(job));
const writeFile = (...given: Parameters<typeof writeTranscriptFile>): string | undefined =>
  finish(writeTranscriptFile(...given));

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
    assert.deepEqual(formats(own), ['srt', 'json']);
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
        '1\n00:00:01,500 --> 00:00:02,000\nHello\u00a0!\n',
        'WEBVTT\n\n00:00:01.500 --> 00:00:02.000\nHello\u00a0!\n',
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
    assert.deepEqual(step.value?.transcript, transcript);
    assert.ok(count > 20, `${count} steps`);
  });

  it('of any result is written in exactly the offered formats, without an exception', () => {
    fc.assert(
      fc.property(fc.oneof(anyResult, fc.jsonValue() as fc.Arbitrary<JsonValue>), fc.string(), (sent, title) => {
        const result = read(sent);
        if (result === undefined) return assert.equal(sent, null);
        const offered = result.formats;
        for (const format of transcriptFormats) {
          const text = writeFile(result, format, title);
          assert.equal(text !== undefined, offered.includes(format), format);
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

describe('The name of a saved transcript', () => {
  const name = (label: string, fallback = '1a2b'): string => nameTranscriptFile(label, fallback, 'srt');

  it('is the label, without characters and names that file systems reject', () => {
    assert.equal(name('Weekly: a/b\\c "d" <e>|f?*'), 'Weekly- a-b-c -d- -e--f--.srt');
    assert.equal(name('../../etc/passwd'), '-..-etc-passwd.srt');
    assert.equal(name('.hidden. '), 'hidden.srt');
    assert.equal(name('con'), 'con_.srt');
    assert.equal(name('nul.mp3'), 'nul_.mp3.srt');
    assert.equal(name(' \u202e… '), '….srt');
    assert.equal(name('..'), '1a2b.srt');
    assert.equal(name('', '/'), '-.srt');
    assert.equal(name('x'.repeat(300)), `${'x'.repeat(59)}….srt`);
  });

  it('gets the first free number', () => {
    const taken = new Set(['a.txt', 'a (2).txt']);
    assert.equal(
      nameTranscriptFile('a', 'id', 'text', (each) => taken.has(each)),
      'a (3).txt',
    );
  });

  it('is valid in any folder, whatever the label', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (label) => {
        const made = name(label);
        assert(Buffer.byteLength(made) <= 200 && /^[^<>:"/\\|?*\p{Cc}\p{Cs}]+\.srt$/u.test(made), JSON.stringify(made));
        assert(!/^[\s.]/.test(made) && !/[\s.]\.srt$/.test(made), JSON.stringify(made));
      }),
      { numRuns: propertyRuns },
    );
  });
});
