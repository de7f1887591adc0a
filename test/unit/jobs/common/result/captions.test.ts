import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { parseSync } from 'subtitle';
import {
  makeCaptions,
  readSubtitleLimits,
  usualLimits,
  type Caption,
  type SubtitleLimits,
} from '../../../../../src/jobs/common/result/captions.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import { writeSubtitles, type SubtitleFormat } from '../../../../../src/jobs/common/result/subtitles.ts';
import type { SpokenWord, Utterance } from '../../../../../src/jobs/common/result/transcript.ts';
import { finish } from '../../../../support/finish.ts';
import { checkDrawnSubtitles } from '../../../../support/subtitles/checkDrawnSubtitles.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { anyResult } from './anyResult.ts';
import { said } from './said.ts';

const caption = (utterances: readonly Utterance[], limits: SubtitleLimits = usualLimits): readonly Caption[] =>
  finish(makeCaptions(utterances, { limits }));
const rowsOf = (text: string, seconds = 6): readonly (readonly string[])[] =>
  caption([said(text, 0, seconds * 1000)]).map(({ rows }) => rows);

/** Returns words that follow each other, each as long as the gap to the next. */
function spokenWords(text: string, startMs = 0, wordMs = 300): readonly SpokenWord[] {
  return text.split(' ').map((word, index) => {
    return { text: word, startMs: startMs + index * wordMs, endMs: startMs + index * wordMs + wordMs - 50 };
  });
}

describe('The rows of captions', () => {
  it('break after sentences and clauses, and are balanced', () => {
    assert.deepEqual(rowsOf('Thank you for calling Harbour Lights, how can I help you today?'), [
      ['Thank you for calling Harbour Lights,', 'how can I help you today?'],
    ]);
    assert.deepEqual(rowsOf('we begin now and then there is a long pause'), [
      ['we begin now and then', 'there is a long pause'],
    ]);
    assert.deepEqual(
      rowsOf('The first sentence is rather short. The second one of them is longer than a row, as it goes on.', 9),
      [['The first sentence is rather short.'], ['The second one of them is longer', 'than a row, as it goes on.']],
    );
  });

  it('do not end at abbreviations', () => {
    assert.deepEqual(rowsOf('I think that you should really talk to Dr. Smith about this soon.'), [
      ['I think that you should really', 'talk to Dr. Smith about this soon.'],
    ]);
  });

  it('keep titles with names, numbers with their units, and particles with their words', () => {
    assert.deepEqual(rowsOf('I would like to say a word about Dr. Harris, who can’t be with us tonight.'), [
      ['I would like to say a word about', 'Dr. Harris, who can’t be with us tonight.'],
    ]);
    for (const [text, part] of [
      ['「それはいいことですか？」と彼女はたずねました。「はい、どう考えても！」', /彼女は\|/],
      ['我们先来看一下那个产品，以每件3.99美元的价格售出了很多件产品', /3\.99美元/],
      ['大家都知道，去年的情况并不理想：订单减少了，成本却上升了。', /减少了，/],
      ['各位晚上好，感谢大家在百忙之中前来参加今天的会议。我们先来看一下上个季度的销售数据，', /今天的/],
      ['เมื่อวันที่ 12 มีนาคม พ.ศ. 2567 เราขายได้ 1,250,000 ชิ้น', /พ\.ศ\. 2567/],
    ] as const)
      assert.match(
        rowsOf(text)
          .map((rows) => rows.join('|'))
          .join('‖'),
        part,
      );
  });

  it('break addresses and compounds that are wider than a row after their separators', () => {
    const address = 'https://example.org/reports/2024/first-quarter?lang=en&page=12';
    for (const row of rowsOf(`It is at ${address} now.`).flat().slice(0, -1)) assert.match(row, /[-/?&=_]$/, row);
  });

  it('are measured in columns: Chinese and Japanese characters take two', () => {
    assert.deepEqual(rowsOf('本日はお忙しい中お集まりいただき、誠にありがとうございます。'), [
      ['本日はお忙しい中お集まりいただき、', '誠にありがとうございます。'],
    ]);
    for (const text of [
      '我们先来看一下上个季度的销售数据然后再讨论下个季度的目标',
      'ﾊﾝｶｸとぜんかく'.repeat(9),
      '한국어'.repeat(40),
    ])
      for (const rows of rowsOf(text, 20))
        assert(
          rows.every((row) => width(row) <= 42),
          rows.join('|'),
        );
  });

  it('break Thai between words', () => {
    const text = 'วันนี้เราจะคุยกันเรื่องแผนงานของปีหน้าและงบประมาณที่เกี่ยวข้องกับแต่ละฝ่าย';
    assert.deepEqual(rowsOf(text), [['วันนี้เราจะคุยกันเรื่องแผนงานของปีหน้า', 'และงบประมาณที่เกี่ยวข้องกับแต่ละฝ่าย']]);
  });

  it('count graphemes, and split none', () => {
    const family = '👨‍👩‍👧‍👦';
    assert.deepEqual(rowsOf(family.repeat(21)), [[family.repeat(21)]]);
    assert.deepEqual(rowsOf(family.repeat(22)), [[family.repeat(11), family.repeat(11)]]);
    assert.deepEqual(rowsOf('e\u0301'.repeat(42)), [['e\u0301'.repeat(42)]]);
  });

  it('split a word that is wider than a row evenly', () => {
    assert.deepEqual(rowsOf('x'.repeat(43)), [['x'.repeat(22), 'x'.repeat(21)]]);
  });

  it('begin with no closing punctuation', () => {
    for (let length = 1; length < 60; length++)
      for (const rows of rowsOf(`${'销'.repeat(length)}。」然后再讨论`, 20))
        assert(!rows.some((row) => /^[。」]/u.test(row)));
    assert.deepEqual(rowsOf('Il a dit : « Bonjour à tous les amis de Paris ! » puis il est parti ?'), [
      ['Il a dit : « Bonjour à tous les amis', 'de Paris ! » puis il est parti ?'],
    ]);
  });
});

/** Columns by a simple rule for the scripts of these tests. */
function width(row: string): number {
  return Array.from(row).reduce(
    (sum, each) => sum + (/[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60]/u.test(each) ? 2 : 1),
    0,
  );
}

describe('The times of captions', () => {
  it('end with speech, and leave out silence', () => {
    const text = 'we begin now and then there is a long pause before the other half of the sentence comes';
    const words = [
      ...spokenWords(text.split(' ').slice(0, 10).join(' ')),
      ...spokenWords(text.split(' ').slice(10).join(' '), 25_500),
    ];
    assert.deepEqual(
      caption([{ ...said(text, 0, 28_300), words }]).map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 2950],
        [25_500, 27_850],
      ],
    );
  });

  it('span no pause of a second, even if all words fit into one caption', () => {
    const words = [...spokenWords('I know'), ...spokenWords('that now', 3000)];
    assert.deepEqual(
      caption([{ ...said('I know that now', 0, 3550), words }]).map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 833],
        [3000, 3833],
      ],
    );
  });

  it('divide a long word in proportion to its letters', () => {
    const text = '我们先来看一下上个季度的销售数据，然后再讨论下个季度的目标，最后安排每个人的具体工作。';
    const captions = caption([{ ...said(text, 0, 20_000), words: [{ text, startMs: 0, endMs: 20_000 }] }]);
    assert(captions.length >= 2);
    for (const { startMs, endMs } of captions) assert(endMs - startMs > 4000, `${startMs} ${endMs}`);
    assert.equal(captions.at(-1)?.endMs, 20_000);
  });

  it('last at least five sixths of a second, also without a length', () => {
    assert.deepEqual(
      caption([said('Yes.', 1000, 1000), said('Next.', 5000, 6000)]).map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [1000, 1833],
        [5000, 6000],
      ],
    );
    const many = caption(Array.from({ length: 50 }, (_, index) => ({ ...said('Yes.', 0, 0), speaker: index % 2 })));
    assert(many.every(({ startMs, endMs }) => endMs - startMs >= 833));
  });

  it('are extended for reading where nothing else is said', () => {
    const text = 'Twenty characters a second are enough for anybody.';
    assert.deepEqual(
      caption([said(text, 0, 1000), said('Later.', 9000, 9900)]).map(({ endMs }) => endMs),
      [text.length * 50, 9900],
    );
    assert.equal(caption([said(text, 0, 1000)], readSubtitleLimits({ style: 'compliance' }))[0]?.endMs, 2942);
    assert.equal(caption([said(text, 0, 1000), { ...said('Now.', 1500, 2400), speaker: 1 }])[0]?.endMs, 1500);
  });

  it('join short utterances of one speaker, and none of two', () => {
    const short = [said('Yes.', 0, 300), said('Of course.', 300, 900)];
    assert.deepEqual(
      caption(short).map(({ rows }) => rows),
      [['Yes. Of course.']],
    );
    const two = short.map((each, index) => ({ ...each, speaker: index === 0 ? 'A' : 'B' }));
    assert.equal(caption(two).length, 2);
  });

  it('join no utterance that begins with closing punctuation', () => {
    const captions = caption([said('我们先来看一下。', 0, 300), said('。那么，我们应该怎么办呢？', 300, 900)]);
    assert.deepEqual(
      captions.map(({ rows }) => rows),
      [['我们先来看一下。'], ['。那么，我们应该怎么办呢？']],
    );
  });

  it('of two speakers at once follow each other', () => {
    const long = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');
    const captions = caption([
      { ...said(long, 0, 20_000), speaker: 0 },
      { ...said('yes', 1000, 2000), speaker: 1 },
    ]);
    assert.deepEqual(captions[1]?.rows, ['yes']);
    for (const [index, { startMs, endMs }] of captions.entries()) {
      assert(endMs - startMs >= 833);
      assert(startMs >= (captions[index - 1]?.endMs ?? 0));
    }
  });

  it('are those of words for an utterance without times', () => {
    const words = [{ text: 'later', startMs: 5000, endMs: 6000 }];
    const [untimed] = caption([{ ...said('later', undefined), words }]);
    assert.deepEqual([untimed?.startMs, untimed?.endMs], [5000, 6000]);
  });

  it('ignore words that are more than a second outside of their utterance', () => {
    const text = Array.from({ length: 40 }, (_, place) => `word${place}`).join(' ');
    const firstEnd = (startMs: number, endMs: number): number | undefined => {
      // All words but the last are said at once.
      const words = text
        .split(' ')
        .map((word, place) => ({ text: word, startMs, endMs: place === 39 ? endMs : startMs + 1 }));
      return caption([{ ...said(text, 2000, 9000), words }])[0]?.startMs;
    };
    assert.deepEqual([firstEnd(1000, 10_000), firstEnd(999, 9000), firstEnd(1500, 10_001)], [1000, 2000, 2000]);
  });

  it('end before the next caption if their end is unknown', () => {
    const captions = caption([said('a', 0), { ...said('b', 900), speaker: 1 }, said('c', 10_000)]);
    assert.deepEqual(
      captions.map(({ startMs, endMs }) => [startMs, endMs]),
      [
        [0, 833],
        [900, 1733],
        [10_000, 10_833],
      ],
    );
  });
});

/** Reads subtitles with another parser. */
function readCues(text: string, format: SubtitleFormat): readonly Caption[] {
  const [header, ...others] = parseSync(text);
  assert.equal(header?.type === 'header', format === 'vtt' && text !== '');
  return [...(header?.type === 'cue' ? [header] : []), ...others].map((node) => {
    const { start: startMs, end: endMs, text: rows } = node.type === 'cue' ? node.data : assert.fail('a second header');
    return { startMs, endMs, rows: (format === 'srt' ? rows : unescapeCue(rows)).split('\n'), voice: undefined };
  });
}

function unescapeCue(row: string): string {
  assert(!/[<>]/.test(row));
  return row.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

describe('Captions of any result', () => {
  const utterancesOf = fc.oneof(
    anyResult.map((result) => readResult({ result })?.transcript?.utterances ?? []),
    fc
      .array(fc.string({ unit: 'grapheme', maxLength: 200 }), { maxLength: 9 })
      .map((texts) => texts.map((text, index) => said(text, index * 1000, index * 1000 + 999))),
  );

  it('are read back exactly by another parser', () => {
    fc.assert(
      fc.property(utterancesOf, (utterances) => {
        const made = caption(utterances);
        const transcript = { fullText: undefined, languages: [], utterances, subtitles: [] };
        const read = (format: SubtitleFormat): readonly Caption[] => {
          const source = { type: 'made', fault: undefined } as const;
          return readCues(finish(writeSubtitles(transcript, format, source, usualLimits)) ?? '', format);
        };
        assert.deepEqual(read('vtt'), made);
        const plain = made.map((each) => ({
          ...each,
          rows: each.rows.map((row) =>
            row
              .replaceAll('<', '‹')
              .replaceAll('>', '›')
              .replaceAll('{', '(')
              .replaceAll('}', ')')
              .replaceAll(/\\(?=[Nnh])/g, '∖'),
          ),
        }));
        assert.deepEqual(read('srt'), plain);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('fit, last long enough, follow each other, and contain every letter', () => {
    fc.assert(
      fc.property(utterancesOf, (utterances) => {
        const captions = caption(utterances);
        let latestMs = 0;
        for (const { startMs, endMs, rows } of captions) {
          assert(startMs >= latestMs && endMs - startMs >= 833, `${latestMs} ${startMs} ${endMs}`);
          latestMs = endMs;
          assert(rows.length >= 1 && rows.length <= 2);
          assert(
            rows.every((row) => row.trim() === row && row !== ''),
            JSON.stringify(rows),
          );
        }
        const letters = (texts: readonly string[]): number =>
          texts.join('').replaceAll(/[\p{Cc}\s\u2028\u2029]/gu, '').length;
        assert.equal(
          letters(captions.flatMap(({ rows }) => rows)),
          letters(
            utterances.flatMap((each) => (each.startMs === undefined && each.words.length === 0 ? [] : [each.text])),
          ),
        );
      }),
      { numRuns: propertyRuns },
    );
  });

  it('in many scripts are read the same by parsers of others', async () => {
    await checkDrawnSubtitles(propertyRuns);
  });
});
