import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import {
  nameSpeaker,
  readSpeakerKey,
  readSpeakerName,
  speakerKey,
} from '../../../../../src/jobs/common/result/speakerNames.ts';
import { writeMarkdown, writeTranscript } from '../../../../../src/jobs/common/result/transcriptText.ts';
import { buildTranscriptView, writeViewTranscript } from '../../../../../src/jobs/common/result/transcriptView.ts';
import { finish } from '../../../../support/finish.ts';

describe('The names of speakers', () => {
  it('belong to a speaker, a channel, or a speaker on a channel', () => {
    const names = new Map([
      ['1/', 'Inès'],
      ['1/0', 'Omar'],
      ['/0', 'Desk'],
    ]);
    for (const [speaker, channel, name, usual] of [
      [1, undefined, 'Inès', 'Speaker 2'],
      [1, 0, 'Omar', 'Speaker 2, channel 1'],
      [undefined, 0, 'Desk', 'Channel 1'],
      [2, undefined, 'Speaker 3', 'Speaker 3'],
      [undefined, undefined, undefined, undefined],
    ] as const) {
      assert.equal(nameSpeaker({ speaker, channel }, names), name);
      assert.equal(nameSpeaker({ speaker, channel }), usual);
      const key = speakerKey({ speaker, channel });
      if (key !== undefined) assert.deepEqual(readSpeakerKey(key), { speaker, channel });
    }
  });

  it('are found only by valid keys', () => {
    for (const key of ['', '/', 'a/', '1', '01/', '1/2/3', '-1/', '1e3/', '__proto__', `${'9'.repeat(20)}/`, '1/\n']) {
      assert.equal(readSpeakerKey(key), undefined, key);
    }
  });

  it('are limited to one short line', () => {
    assert.equal(readSpeakerName('  Inès\n\u202e Laurent\u0007 '), 'Inès Laurent');
    assert.equal(readSpeakerName(' \n\t'), '');
    assert.equal(readSpeakerName('x'.repeat(1000)).length, 80);
  });

  it('are shown at all turns of the speaker, on the page and in files', () => {
    const utterances = [0, 1, 0].map((speaker, at) => ({ text: `Part ${at}`, start: at, speaker, language: 'en' }));
    const transcript = readResult({ result: { transcription: { utterances } } })?.transcript;
    assert(transcript);
    const names = new Map([['0/', 'Inès *L*']]);
    const view = buildTranscriptView(transcript, names);
    assert.deepEqual(
      view?.lines.map(({ label, speaker }) => [label, speaker]),
      [
        ['Inès *L* (en)', '0/'],
        ['Speaker 2', '1/'],
        ['Inès *L*', '0/'],
      ],
    );
    const written = finish(writeTranscript(transcript, { speakers: true, times: true, names }));
    // Files name the language of each turn, the page where it changes.
    const copied = '00:00 · Inès *L* (en) · Part 0\n\n00:01 · Speaker 2 · Part 1\n\n00:02 · Inès *L* · Part 2';
    assert.equal(writeViewTranscript(view), copied);
    assert.match(written ?? '', /^00:00 · Inès \*L\* \(en\) · Part 0\n\n00:01 · Speaker 2 /);
    assert.match(
      finish(writeMarkdown(transcript, { title: 'T', names })) ?? '',
      /\*\*00:00 · Inès \\\*L\\\* \(en\)\*\*/,
    );
  });

  it('are not used if the service does not identify speakers', () => {
    const transcript = readResult({ result: { transcription: { utterances: [{ text: 'Hello' }] } } })?.transcript;
    assert(transcript);
    assert.equal(buildTranscriptView(transcript, new Map([['', 'Inès']]))?.lines[0]?.label, '');
    assert.equal(buildTranscriptView(transcript)?.lines[0]?.speaker, undefined);
  });
});
