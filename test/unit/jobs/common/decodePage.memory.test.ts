import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { decodePage } from '../../../../src/jobs/common/decodePage.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

const pages = 200;
const itemsOfPage = 50;
const itemCharacters = 2000;

/** Heap memory in use after garbage collection. */
function heapInUse(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed;
}

function pageText(page: number): string {
  const items = Array.from({ length: itemsOfPage }, (_, place) => ({
    id: `1f0c7a52-page-${page}-place-${place}`,
    status: 'done',
    note: 'x'.repeat(itemCharacters),
  }));
  // One flat string, as from the network, instead of a concatenation.
  return Buffer.from(JSON.stringify({ first: '', current: '', next: null, items })).toString();
}

for (const [what, pick] of [
  ['a job', (entry: { readonly raw: string }): unknown => entry],
  ['the id of a job', (entry: { readonly id?: string }): unknown => entry.id],
] as const) {
  test(`${what} does not keep the rest of its page in memory`, () => {
    const kept: unknown[] = [];
    const before = heapInUse();
    for (let page = 0; page < pages; page++) {
      const [entry] = decodePage(pageText(page), 'pre-recorded').entries;
      if (entry?.type === 'job') kept.push(pick(entry));
    }
    const perPage = (heapInUse() - before) / kept.length;
    assert.equal(kept.length, pages);
    assert.ok(perPage < 3 * itemCharacters, `${Math.round(perPage)} bytes for one of ${itemsOfPage} items`);
  });
}
