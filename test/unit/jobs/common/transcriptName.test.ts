import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../../src/base/json/json.ts';
import { chooseTranscriptFiles, readSavableResult } from '../../../../src/jobs/common/savedTranscript.ts';
import { chooseFreeNames, fileNameKey, nameTranscriptFile } from '../../../../src/jobs/common/transcriptName.ts';
import { anyCharacter } from '../../../support/anyCharacter.ts';
import { finish } from '../../../support/finish.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

describe('The name of a saved transcript', () => {
  const job = (id: string, item: JsonObject = {}) => ({
    id,
    kind: 'pre-recorded',
    createdAtMs: Date.UTC(2026, 10, 20, 23, 30),
    raw: JSON.stringify(item),
  });
  const file = { format: 'srt', version: undefined, extension: 'srt', isBesideText: false } as const;
  const name = (title: string, fallback = '1a2b'): string => nameTranscriptFile(file, { job: job(fallback), title })(1);

  it('is the label, without characters and names that file systems reject', () => {
    assert.equal(name('Weekly: a/b\\c "d" <e>|f?*'), 'Weekly- a-b-c -d- -e--f.srt');
    assert.equal(name('../../etc/passwd'), 'etc-passwd.srt');
    assert.equal(name('.hidden. '), 'hidden.srt');
    assert.equal(name('con'), 'con_.srt');
    assert.equal(name('nul.mp3'), 'nul_.mp3.srt');
    assert.equal(name(' \u202e… '), '….srt');
    assert.equal(name('..'), '1a2b.srt');
    assert.equal(name('', '/'), 'transcript.srt');
    assert.equal(name('Où va la mémoire\u202f?'), 'Où va la mémoire.srt');
    assert.equal(name('- a -'), '- a -.srt');
    assert.equal(name('x'.repeat(300)), `${'x'.repeat(59)}….srt`);
  });

  it('gets the first free number', () => {
    const taken = new Set(['É.srt', 'e\u0301 (2).SRT'].map(fileNameKey));
    const names = [nameTranscriptFile(file, { job: job('id'), title: 'e\u0301' })];
    assert.deepEqual(
      chooseFreeNames(names, (each) => taken.has(fileNameKey(each))),
      ['é (3).srt'],
    );
  });

  it('is valid in any folder, whatever the label', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, maxLength: 200 }), (label) => {
        const made = name(label);
        assert(Buffer.byteLength(made) <= 255 && /^[^<>:"/\\|?*\p{Cc}\p{Cs}]+\.srt$/u.test(made), JSON.stringify(made));
        assert(!/^[\s.]/.test(made) && !/[\s.]\.srt$/.test(made), JSON.stringify(made));
      }),
      { numRuns: propertyRuns },
    );
  });

  it('is none of a device of Windows', () => {
    for (const device of ['CON', 'com¹', 'LPT³', 'CONIN$', 'conout$', 'com1 .x', 'aux.tar', 'NUL ', 'com0'])
      assert.match(name(device), /^[^ .]+_[ .]|^[^ .]+_\.srt$/, device);
    for (const usual of ['com', 'com10', 'console', 'auxiliary.x', 'nullify'])
      assert.equal(name(usual), `${usual}.srt`);
  });

  it('follows a pattern, with values of the job and its metadata', () => {
    const item = { custom_metadata: { customer: 'Aurora/Health', 'case no': 7, object: {}, long: 'x'.repeat(500) } };
    const fill = (pattern: string): string =>
      nameTranscriptFile(file, { job: job('1a2b', item), title: 'Call', pattern })(1);
    assert.equal(
      fill('{date} {time} {customer} - {title} ({case no})'),
      '2026-11-20 23-30 Aurora-Health - Call (7).srt',
    );
    assert.equal(fill('{kind}/{id}.{format}'), 'pre-recorded-1a2b.srt.srt');
    assert.equal(fill('{object}{missing}{__proto__}{constructor}'), 'Call.srt');
    assert.equal(fill('../{title}'), 'Call.srt');
    assert.equal(fill('{{title}}'), '{Call}.srt');
    assert(Buffer.byteLength(fill('{long}'.repeat(80))) < 255);
    const masked = nameTranscriptFile(file, {
      job: job('1'),
      title: 'my key',
      mask: (text) => text.replace('key', '•••'),
    })(1);
    assert.equal(masked, 'my •••.srt');
  });

  it('of a translation contains its language', () => {
    const raw = JSON.stringify({
      result: { translation: { results: [{ languages: ['fr'], full_transcript: 'Oui' }] } },
    });
    const result = finish(readSavableResult({ raw }));
    assert(result);
    const [french] = chooseTranscriptFiles(result, { formats: ['text'], languages: 'all' }).files;
    assert(french);
    const called = (pattern?: string): string =>
      nameTranscriptFile(french, { job: job('1'), title: 'Call', pattern })(1);
    assert.equal(called(), 'Call.fr.txt');
    assert.equal(called('{language}-{title}'), 'fr-Call.txt');
  });

  it('of each file of a job says what differs, and they have the same number', () => {
    const raw = JSON.stringify({
      result: {
        transcription: { utterances: [{ text: 'Yes', start: 1, end: 2, speaker: 0 }] },
        translation: { results: [{ languages: ['fr'], full_transcript: 'Oui' }] },
      },
    });
    const result = finish(readSavableResult({ raw })) ?? assert.fail();
    const { files } = chooseTranscriptFiles(result, { formats: ['text', 'turns', 'srt'], languages: 'all' });
    const named = (taken: readonly string[], pattern?: string): readonly string[] =>
      chooseFreeNames(
        files.map((each) => nameTranscriptFile(each, { job: job('1'), title: 'Call', pattern })),
        (name) => taken.includes(name),
      );
    const usual = ['Call.txt', 'Call.speakers.txt', 'Call.srt', 'Call.fr.txt', 'Call.speakers.fr.txt'];
    assert.deepEqual(named([]), usual);
    const second = usual.map((name) => name.replace('Call', 'Call (2)'));
    for (const taken of usual) assert.deepEqual(named([taken]), second, taken);
    assert.deepEqual(named(usual, '{title} {format}').slice(0, 2), ['Call text.txt', 'Call turns.txt']);
    const [alone] = chooseTranscriptFiles(result, { formats: ['turns'], languages: ['original'] }).files;
    assert.equal(nameTranscriptFile(alone ?? assert.fail(), { job: job('1'), title: 'Call' })(1), 'Call.txt');
    // These two would have the same name.
    const same = nameTranscriptFile(file, { job: job('1'), title: 'Call' });
    assert.deepEqual(
      chooseFreeNames([same, same], (name) => name === 'Call (2).srt'),
      ['Call.srt', 'Call (3).srt'],
    );
  });
});
