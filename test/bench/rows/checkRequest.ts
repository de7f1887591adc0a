import { strict as assert } from 'node:assert';
import { parseTree } from 'jsonc-parser';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { alternate } from '../alternate.ts';
import { medianRatio } from '../median.ts';
import { timed } from '../timed.ts';
import type { Row } from '../outcome.ts';
import { findAll, languageService, schemaErrors } from '../requests/checks.ts';
import { largeRequest, smallRequest } from '../requests/requestTexts.ts';

/** Number of checks of a small request per measured number. */
const repetitions = 500;

/** Checks a large request file, again after one typed character, and a small file. */
export const row: Row = async ({ quick, peers }) => {
  const diagnose = languageService(peers);
  const text = largeRequest();
  // In the middle of the file and of a word.
  const middle = text.indexOf('of the trade', text.length / 2) + 2;
  const edited = `${text.slice(0, middle)}x${text.slice(middle)}`;
  assert(findAll(parseRequest(text)) >= 100 && (await diagnose(text)) > 0);

  // The total is short, and rounds differ by a third on a shared machine.
  const rounds = { rounds: quick ? 7 : 45, warmUps: 5 };
  const large = await alternate(
    {
      ours: async () => void findAll(parseRequest(text)),
      known: async () => void findAll(parseRequest(text), 'gladia'),
      keystroke: async () => void findAll(parseRequest(edited)),
      service: async () => void (await diagnose(text)),
      parseAndAjv: async () => void schemaErrors(JSON.parse(text)),
      tree: async () => void parseTree(text),
    },
    rounds,
  );
  const smallText = smallRequest();
  const small = await alternate(
    {
      ours: async () => {
        for (let times = 0; times < repetitions; times++) findAll(parseRequest(smallText));
      },
      service: async () => {
        for (let times = 0; times < repetitions; times++) await diagnose(smallText);
      },
      parts: async () => {
        for (let times = 0; times < repetitions; times++) {
          schemaErrors(JSON.parse(smallText));
          parseTree(smallText);
        }
      },
    },
    rounds,
  );
  const each = (runs: readonly number[]): readonly number[] => runs.map((ms) => ms / repetitions);
  const kilobytes = (of: string): string => `${(Buffer.byteLength(of) / 1024).toFixed(1)} KB`;
  return [
    {
      title: 'Check a request',
      measured: `${kilobytes(text)}, 10,000 terms, 1 % wrong: syntax, schema, all rules, ranges, against parse and validate of vscode-json-languageservice`,
      value: medianRatio(large.ours, large.service),
      unit: '×',
      atMost: 0.5,
      facts: [
        timed('full check', large.ours),
        timed('vscode-json-languageservice', large.service),
        timed('JSON.parse and ajv alone', large.parseAndAjv),
        timed("jsonc-parser's tree alone", large.tree),
      ],
    },
    {
      title: 'Knowledge of a service',
      measured: 'the full check of that file with all that is known of a service, against the check without',
      value: medianRatio(large.known, large.ours),
      unit: '×',
      atMost: 1.1,
      facts: [timed('full check with a service', large.known)],
    },
    {
      title: 'Keystroke',
      measured: 'one character typed in that file to all findings, against the full check',
      value: medianRatio(large.keystroke, large.ours),
      unit: '×',
      atMost: 1.1,
      facts: [timed('after a keystroke', large.keystroke)],
    },
    {
      title: 'Small request',
      measured: `full check of ${kilobytes(smallText)}, against vscode-json-languageservice`,
      value: medianRatio(small.ours, small.service),
      unit: '×',
      atMost: 0.65,
      facts: [
        timed('full check', each(small.ours)),
        timed('vscode-json-languageservice', each(small.service)),
        timed("JSON.parse, ajv and jsonc-parser's tree alone", each(small.parts)),
      ],
      limit:
        'The floor is what every check of places and types needs: the text parsed, validated, and its tree. The rest goes evenly to some hundred rules, each of which takes a microsecond of a small file: no one of them takes 5 %.',
    },
  ];
};
