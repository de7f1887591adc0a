import { strict as assert } from 'node:assert';
import { formatJson } from '../../../src/base/json/formatJson.ts';
import { checkRequest } from '../../../src/language/check.ts';
import { chooseFix, fixAll } from '../../../src/language/edits.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { WorkSlices } from '../../../src/base/clock.ts';
import { readAudio } from '../../../src/features/submit/common/audioList.ts';
import { parseTable } from '../../../src/features/submit/node/parseTable.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import type { Outcome, Row } from '../outcome.ts';
import { findAll, schemaErrors } from '../requests/checks.ts';

/**
 * Processes user input of any size. `size` is the number of parts of the input, which is built first.
 * @returns the work to measure.
 */
type Work = (size: number) => () => Promise<unknown>;

/** Files in which everything is wrong, and long lists: superlinear growth would show here first. */
const works: Readonly<Record<string, Work>> = {
  'misspelt terms': (size) =>
    checkOf({
      custom_vocabulary_config: { vocabulary: Array.from({ length: size }, () => ({ valeu: 'a', intensity: 2 })) },
    }),
  'unknown fields': (size) =>
    checkOf(Object.fromEntries(Array.from({ length: size }, (_, index) => [`audio_url_${index}`, 1]))),
  'repeated languages': (size) =>
    checkOf({ language_config: { languages: Array.from({ length: size }, (_, index) => `x${index % 7}`) } }),
  'fixes of all terms': (size) => {
    const vocabulary = Array.from({ length: size }, (_, index) => ({ value: `term ${index}`, intensity: 0.9 }));
    const request = parseRequest(
      JSON.stringify({ audio_url: 'https://x.example/a', custom_vocabulary_config: { vocabulary } }),
    );
    return async () => fixAll(request, (each) => checkRequest(each, schemaErrors, { nowMs: 0 }), chooseFix);
  },
  'layout of JSON': (size) => {
    const text = JSON.stringify(Array.from({ length: size }, (_, start) => ({ start, word: `word ${start}` })));
    return async () => formatJson(text);
  },
  'rows of a table': (size) => {
    const rows = Array.from({ length: size }, (_, index) => `"Call ""${index}""",https://x.example/${index % 900}.wav`);
    const table = `name,url\n${rows.join('\n')}\n`;
    return async () =>
      new WorkSlices().run(
        readAudio(await parseTable(table), { headingsAt: 0 }, { url: 1, metadata: new Map([['name', 0]]) }),
      );
  },
};

/** Doubles the input of each of {@link works}: linear work takes twice the time, quadratic work up to four times. */
export const row: Row = async ({ quick }) => {
  const size = quick ? 5_000 : 20_000;
  const outcomes: Outcome[] = [];
  for (const [name, work] of Object.entries(works)) {
    const { once, twice } = await alternate(
      { once: whole(work(size)), twice: whole(work(2 * size)) },
      { rounds: quick ? 5 : 9, warmUps: 2 },
    );
    outcomes.push({
      title: `Growth: ${name}`,
      measured: `${(2 * size).toLocaleString('en')} of them, against ${size.toLocaleString('en')}`,
      value: medianRatio(twice, once),
      unit: '×',
      atMost: 2.7,
      facts: [timed(size.toLocaleString('en'), once), timed((2 * size).toLocaleString('en'), twice)],
    });
  }
  return outcomes;
};

function checkOf(body: object): () => Promise<unknown> {
  const text = JSON.stringify(body);
  return async () => assert(findAll(parseRequest(text)) > 0);
}

function whole(work: () => Promise<unknown>): () => Promise<void> {
  return async () => void (await work());
}
