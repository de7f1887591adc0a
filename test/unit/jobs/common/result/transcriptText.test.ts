import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { readResult } from '../../../../../src/jobs/common/result/jobResult.ts';
import type { Transcript } from '../../../../../src/jobs/common/result/transcript.ts';
import { writeMarkdown, writeTranscript } from '../../../../../src/jobs/common/result/transcriptText.ts';
import { fixtureItem } from '../../../../support/details/fixtureItems.ts';
import { finish } from '../../../../support/finish.ts';

function read(transcription: JsonObject): Transcript {
  const transcript = readResult({ result: { transcription } })?.transcript;
  assert(transcript);
  return transcript;
}

const harbour = readResult(fixtureItem('preRecordedDone'))?.transcript;
assert(harbour);
const all = { speakers: true, times: true };

describe('A transcript as text', () => {
  it('has a paragraph for each turn', () => {
    assert.equal(
      finish(writeTranscript(harbour, all)),
      '00:00 · Speaker 1 (en) · Every evening at ten past six the lamp is lit by hand. It was an order once; now it is a habit that nobody wants to be the last to keep.\n\n' +
        "00:13 · Speaker 2 (fr) · C'est la lumière qui rentre, disait son père, pas nous.\n",
    );
    assert.match(
      finish(writeTranscript(harbour, { speakers: false, times: false })) ?? '',
      /^Every evening .*\n\nC'est /,
    );
    assert.match(finish(writeTranscript(harbour, { speakers: true, times: false })) ?? '', /^Speaker 1 \(en\) · Every/);
  });

  it('is the full text of the service without utterances, and undefined without both', () => {
    assert.equal(finish(writeTranscript(read({ full_transcript: 'One.\n\nTwo.' }), all)), 'One.\n\nTwo.\n');
    assert.equal(finish(writeTranscript(read({}), all)), undefined);
    assert.equal(finish(writeMarkdown(read({}), { title: 'Title' })), undefined);
  });

  it('is Markdown in which no spoken text becomes markup', () => {
    const utterances = [{ text: '# <b>a</b> *b* [c](https://x.example) 1. d', start: 61, end: 62, language: 'e_n' }];
    assert.equal(
      finish(writeMarkdown(read({ utterances }), { title: 'A_title_' })),
      '# A\\_title\\_\n\n**01:01 · e\\_n**  \n\\# \\<b>a\\</b> \\*b\\* \\[c\\](https\\://x\\.example) 1. d\n',
    );
    assert.equal(
      finish(writeMarkdown(read({ full_transcript: 'One\nmore.\n\nTwo.' }), { title: 'T' })),
      '# T\n\nOne more.\n\nTwo.\n',
    );
    const jobLink = 'vscode://publisher.name/job?id=a(b';
    assert.equal(
      finish(writeMarkdown(read({ full_transcript: 'One.' }), { title: 'T', jobLink })),
      `# T\n\n[Open Job](<${jobLink}>)\n\nOne.\n`,
    );
  });

  it('keeps ordinary sentences unchanged, and escapes only text that would be markup', () => {
    const paragraph = (text: string) =>
      finish(writeMarkdown(read({ full_transcript: text }), { title: 'T' }))?.slice('# T\n\n'.length, -1);
    for (const text of [
      'Gern. Die neue Linie (ab 10:30) kostet 3.50 - nicht 4!',
      'No. 5 + 6 = 11 | A & B; C#, so > 3: “yes”…',
      '2024 was fine. #1 as well',
    ]) {
      assert.equal(paragraph(text), text.replace(/^#/u, String.raw`\#`));
    }
    for (const [text, written] of [
      ['- yes', String.raw`\- yes`],
      ['1. yes', String.raw`1\. yes`],
      ['12) yes', String.raw`12\) yes`],
      ['> yes', String.raw`\> yes`],
      ['===', String.raw`\=\=\=`],
      [':-|-', String.raw`\:-|-`],
      ['a ==b== c', String.raw`a \=\=b\=\= c`],
      ['a :smile: b', String.raw`a \:smile: b`],
      ['see example.com or HTTPS://x', String.raw`see example\.com or HTTPS\://x`],
      ['mailto:a@b', String.raw`mailto\:a@b`],
      ['&lt; &#60; AT&T', String.raw`\&lt; \&#60; AT&T`],
      ['Part ##', String.raw`Part \#\#`],
      ['$5 to $6, ~a~', String.raw`\$5 to \$6, \~a\~`],
    ] as const) {
      assert.equal(paragraph(text), written);
    }
    const utterances = [
      { text: '', start: 1, end: 2 },
      { text: '- a', start: 2, end: 3 },
      { text: '- b', start: 3, end: 4 },
    ];
    assert.match(finish(writeMarkdown(read({ utterances }), { title: 'T' })) ?? '', /\n\\- a - b\n$/u);
  });
});
