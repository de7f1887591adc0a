import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { plainRequestText, relaxedRequestText } from '../../unit/language/requestTexts.ts';
import { filesBelow } from '../run/filesBelow.ts';

const seed = 22;

/** Number of random requests in slow tests with many editor queries per request: the first ones of the usual thousand. */
export const fewParityRequests = 100;

/**
 * Returns requests on which all hosts must agree, by file name: all fixtures, random ones, and some truncated ones.
 * @param root folder of the repository
 */
export function parityRequests(root: string, random = 1000): ReadonlyMap<string, string> {
  const fixtures = filesBelow(join(root, 'test/fixtures'), '{requests,workspace}/*.json');
  const sampled = [plainRequestText, relaxedRequestText].flatMap((texts) =>
    fc.sample(texts, { numRuns: random / 2, seed }),
  );
  // Not within a line break: the editor would complete it.
  const broken = sampled
    .filter((_, index) => index % 20 === 0)
    .map((text) => text.slice(0, (text.length * 2) / 3).replace(/\r$/u, ''));
  const texts = [...fixtures.map((file) => readFileSync(file, 'utf8')), ...sampled, ...broken];
  return new Map(texts.map((text, index) => [`${String(index).padStart(4, '0')}.transcription.json`, text]));
}

/** Writes the requests into a folder. */
export function writeRequests(folder: string, requests: ReadonlyMap<string, string>): void {
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of requests) writeFileSync(join(folder, name), text);
}
