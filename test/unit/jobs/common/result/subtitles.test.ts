import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { usualLimits } from '../../../../../src/jobs/common/result/captions.ts';
import {
  chooseSubtitles,
  describeSubtitles,
  writeSubtitles,
  type SubtitleFormat,
  type SubtitleSource,
} from '../../../../../src/jobs/common/result/subtitles.ts';
import type { SpeakerNames } from '../../../../../src/jobs/common/result/speakerNames.ts';
import type { Transcript, Utterance } from '../../../../../src/jobs/common/result/transcript.ts';
import { finish } from '../../../../support/finish.ts';
import { parseWebVtt } from '../../../../support/subtitles/otherParsers.ts';
import { said } from './said.ts';

const transcript = (utterances: readonly Utterance[], own: Transcript['subtitles'] = []): Transcript => ({
  fullText: undefined,
  languages: [],
  utterances,
  subtitles: own,
});

function write(transcribed: Transcript, format: SubtitleFormat, names?: SpeakerNames): string | undefined {
  const source = finish(chooseSubtitles(transcribed, format));
  return finish(writeSubtitles(transcribed, format, source, usualLimits, names));
}

/** Returns the source for a text that the service sent, and the file. */
function choose(format: SubtitleFormat, text: string, utterances = [said('Hello', 0, 1000)]): SubtitleSource {
  const source = finish(chooseSubtitles(transcript(utterances, [{ format, text }]), format));
  if (source.type === 'sent') assert.equal(source.text, text);
  return source;
}

describe('Subtitles of the service', () => {
  it('are saved as sent if a player can read them', () => {
    const readable: readonly (readonly [SubtitleFormat, string])[] = [
      ['vtt', '\uFEFFWEBVTT - by us\n\n00:01.000 --> 00:02.000 align:start\nOne\n\n00:01.000 --> 01:00:02.000\nTwo\n'],
      ['srt', '1\r\n00:00:00,000 --> 00:00:01,500\r\nHello!\r\n'],
      ['srt', '1\n00:00:01.000 --> 00:00:02.000 X1:40\nOne --> two\n'],
    ];
    for (const [format, text] of readable)
      assert.deepEqual(choose(format, text), { type: 'sent', text, fault: undefined }, text);
    const text = '1\n00:00:00,000 --> 00:00:01,500\nHello!\n';
    assert.equal(write(transcript([said('Hello', 0, 1000)], [{ format: 'SRT', text }]), 'srt'), text);
  });

  it('are saved as sent if captions have no length or are out of order, which is reported', () => {
    for (const text of [
      '1\n00:00:00,000 --> 00:00:02,000\nOne.\n\n2\n00:00:02,000 --> 00:00:02,000\nTwo.\n',
      '1\n00:00:05,000 --> 00:00:06,000\nlater\n\n2\n00:00:01,000 --> 00:00:02,000\nearlier\n',
    ]) {
      for (const utterances of [[said('Hello', 0, 1000)], []]) {
        const source = choose('srt', text, utterances);
        assert.deepEqual(source, { type: 'sent', text, fault: { kind: 'odd', count: 1 } });
        assert.equal(
          describeSubtitles('SRT', source),
          'SRT: saved as the service sent it, but 1 caption has no length or is out of order.',
        );
      }
    }
  });

  it('are replaced if a player would lose captions, which is reported', () => {
    const unusable: readonly (readonly [SubtitleFormat, string, number])[] = [
      ['vtt', 'WEBVTT\n\n00:01,000 --> 00:02,000\nOne\n', 1],
      ['vtt', 'WEBVTT\n\n00:02.000 --> 00:01.000\nOne\n', 1],
      ['vtt', 'WEBVTT', 0],
      ['vtt', '<html>502</html>', 0],
      ['vtt', 'WEBVTT\n\n00:01.000 --> 00:02.000\n\0\n', 0],
      ['vtt', '00:01.000 --> 00:02.000\nOne\n', 0],
      ['srt', '', 0],
      ['srt', '1\n…\n', 0],
      ['srt', 'WEBVTT\n\n00:00:01,000 --> 00:00:02,000\nOne\n', 0],
    ];
    for (const [format, text, count] of unusable) {
      const source = choose(format, text);
      assert.deepEqual(source, { type: 'made', fault: { kind: 'unreadable', count } }, text);
      assert.match(
        describeSubtitles('VTT', source) ?? '',
        /^VTT: made from the transcript, because .* no caption can be read\.$/,
      );
      assert.deepEqual(choose(format, text, []), { type: 'none', fault: { kind: 'unreadable', count } }, text);
    }
    const damaged = 'WEBVTT\n\n00:01.000 --> 00:02.000\nOne\n\n00:02.000 --> 00:0x.000\nTwo\n';
    assert.deepEqual(choose('vtt', damaged), { type: 'made', fault: { kind: 'damaged', count: 1 } });
    // Better than nothing.
    assert.deepEqual(choose('vtt', damaged, []), {
      type: 'sent',
      text: damaged,
      fault: { kind: 'damaged', count: 1 },
    });
  });

  it('are the first usable ones', () => {
    const good = '1\n00:00:00,000 --> 00:00:01,500\nHello!\n';
    const own = [
      { format: 'srt', text: 'nothing' },
      { format: 'vtt', text: 'WEBVTT' },
      { format: 'srt', text: good },
    ];
    assert.deepEqual(finish(chooseSubtitles(transcript([], own), 'srt')), {
      type: 'sent',
      text: good,
      fault: undefined,
    });
  });
});

describe('Subtitles in WebVTT that the service did not send', () => {
  const sent = (text: string): Transcript => transcript([], [{ format: 'srt', text }]);

  it('are converted from its SRT if nothing can be made of utterances, which is reported', () => {
    const text = [
      '1\r\n00:00:01,5 --> 00:00:02,000 X1:40\r\n<I>Bread</I> & <font color="red">a < b</font>\r\n',
      '2\r\n100:00:03,000 --> 100:00:03,000\r\n{\\an8}up --> down\r\n\r\n1984\r\n',
      '3\r\n100:00:05,000 --> 100:00:06,000\r\n12\r\n',
      '4\r\n100:00:07,000 --> 100:00:08,000\r\n',
    ].join('\r\n');
    const source = finish(chooseSubtitles(sent(text), 'vtt'));
    assert.equal(
      describeSubtitles('VTT', source),
      "VTT: converted from the SRT that the service sent; in the service's own subtitles 1 caption has no length or is out of order.",
    );
    const vtt = write(sent(text), 'vtt') ?? '';
    assert.equal(
      vtt,
      [
        'WEBVTT',
        '00:00:01.500 --> 00:00:02.000\n<i>Bread</i> &amp; a &lt; b',
        '100:00:03.000 --> 100:00:03.833\nup --&gt; down\n1984',
        '100:00:05.000 --> 100:00:06.000\n12\n',
      ].join('\n\n'),
    );
    assert.deepEqual(parseWebVtt(vtt), { errors: [], cues: 3 });
    const plain = finish(chooseSubtitles(sent('1\n00:00:01,500 --> 00:00:02,000\nHello\n'), 'vtt'));
    assert.equal(describeSubtitles('VTT', plain), 'VTT: converted from the SRT that the service sent.');
  });

  it('are made from utterances where there are any', () => {
    const srt = '1\n00:00:01,500 --> 00:00:02,000\nHello\n';
    assert.deepEqual(
      finish(chooseSubtitles(transcript([said('Hello', 0, 1000)], [{ format: 'srt', text: srt }]), 'vtt')),
      {
        type: 'made',
        fault: undefined,
      },
    );
  });
});

describe('Subtitles from utterances', () => {
  it('are made in order of time, without those that have no time', () => {
    const made = transcript([
      said('Later', 3_661_001, 3_662_000),
      said('Nowhere', undefined),
      said('Bread & <b>', 500, 1400),
    ]);
    assert.equal(
      write(made, 'srt'),
      '1\n00:00:00,500 --> 00:00:01,400\nBread & ‹b›\n\n2\n01:01:01,001 --> 01:01:02,000\nLater\n',
    );
    assert.equal(
      write(made, 'vtt'),
      'WEBVTT\n\n00:00:00.500 --> 00:00:01.400\nBread &amp; &lt;b&gt;\n\n01:01:01.001 --> 01:01:02.000\nLater\n',
    );
    assert.equal(write(transcript([said('Nowhere', undefined)]), 'srt'), undefined);
  });

  it('contain nothing that players take for markup', () => {
    const hostile = String.raw`<i>so</i> a < b > c {\an8}up {Y:i}x C:\new \Nine --> end &lt;`;
    const srt = write(transcript([said(hostile, 0, 9000)]), 'srt') ?? '';
    const spoken = srt.split('\n').slice(2).join(' ').trim();
    assert.equal(spoken, String.raw`‹i›so‹/i› a ‹ b › c (\an8)up (Y:i)x C:∖new ∖Nine --› end &lt;`);
    const vtt = write(transcript([said(hostile, 0, 9000)]), 'vtt') ?? '';
    assert(!/[<>]|&(?!lt;|gt;|amp;)/.test(vtt.split('\n').slice(3).join(' ')), vtt);
  });

  it('name speakers who were given a name: in WebVTT as voices, in SubRip when the speaker changes', () => {
    const talk = [
      { ...said('Hello.', 0, 1000), speaker: 'A' },
      { ...said('Yes?', 2500, 3400), speaker: 'A' },
      { ...said('Bye.', 5000, 6000), speaker: 'B' },
    ];
    const names = new Map([['"A"/', 'Inès <L>']]);
    assert.deepEqual(
      (write(transcript(talk), 'srt', names) ?? '').split('\n').filter((line) => /^[A-ZI]/.test(line)),
      ['Inès ‹L›: Hello.', 'Yes?', 'Bye.'],
    );
    assert.deepEqual(
      (write(transcript(talk), 'vtt', names) ?? '').split('\n').filter((line) => /[.?]$/.test(line)),
      ['<v Inès &lt;L&gt;>Hello.', '<v Inès &lt;L&gt;>Yes?', 'Bye.'],
    );
  });
});
