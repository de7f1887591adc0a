import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure, isFailure, type FailureFacts } from '../../../../../src/base/failure.ts';
import { PagesAhead, pagesAtOnce } from '../../../../../src/jobs/node/list/pagesAhead.ts';
import type { ListPage } from '../../../../../src/jobs/common/decodePage.ts';
import { FakeClock } from '../../../../support/fakeClock/fakeClock.ts';

const page: ListPage = { entries: [], hasMore: true, serviceDateMs: undefined, deviations: [] };

/** A service that responds to the first concurrent requests with 429, and the outcome of requesting its first page. */
function limited(facts: (nowMs: number) => FailureFacts) {
  const clock = new FakeClock();
  const stop = new AbortController();
  let asked = 0;
  const fetch = async (): Promise<ListPage> => {
    if (++asked <= pagesAtOnce) throw new Failure('rateLimited', facts(clock.now()));
    return page;
  };
  const pages = new PagesAhead(fetch, 10, pagesAtOnce, stop.signal, clock);
  let outcome: unknown;
  const keep = (value: unknown): void => {
    outcome = isFailure(value) ? value.code : value;
  };
  void pages.page(0, 10).then(keep, keep);
  return { clock, stop, asked: () => asked, outcome: () => outcome };
}

for (const [when, facts] of [
  ['no time', () => ({})],
  ['a past time', (nowMs: number) => ({ retryAtMs: nowMs - 1 })],
] as const) {
  test(`a service that limits the rate with ${when} to retry gets one request at a time`, async () => {
    const { clock, asked, outcome } = limited(facts);
    await clock.advance(0);
    assert.deepEqual([outcome(), asked()], [page, pagesAtOnce + 1]);
  });
}

for (const momentMs of [5000, 30_000]) {
  test(`a service that requests a pause of ${momentMs / 1000} seconds gets it`, async () => {
    const { clock, asked, outcome } = limited((nowMs) => ({ retryAtMs: nowMs + momentMs }));
    await clock.advance(momentMs - 1);
    assert.deepEqual([outcome(), asked()], [undefined, pagesAtOnce]);
    await clock.advance(1);
    assert.deepEqual([outcome(), asked()], [page, pagesAtOnce + 1]);
  });
}

test('a service that requests a pause of a minute gets no further request', async () => {
  const { clock, asked, outcome } = limited((nowMs) => ({ retryAtMs: nowMs + 60_000 }));
  await clock.advance(0);
  assert.deepEqual([outcome(), asked(), clock.pending], ['rateLimited', pagesAtOnce, 0]);
});

test('pages of a service that starts to send fewer items are read ahead in smaller steps without a gap', async () => {
  const asked: number[] = [];
  const fetch = async (offset: number): Promise<ListPage> => {
    asked.push(offset);
    return { ...page, entries: Array.from({ length: 4 }, () => ({ type: 'unreadable', raw: 'null' })) };
  };
  const pages = new PagesAhead(fetch, 9, 3, undefined, new FakeClock());
  await pages.page(0, 10);
  assert.deepEqual(asked, [0, 9, 18]);
  asked.length = 0;
  await pages.page(3, 10);
  assert.deepEqual(asked, [3, 6, 9, 12]);
});

test('the next page is requested as soon as one arrives, within the max of concurrent requests', async () => {
  const asked: number[] = [];
  let open = 0;
  let max = 0;
  const fetch = async (offset: number): Promise<ListPage> => {
    asked.push(offset);
    max = Math.max(max, ++open);
    await Promise.resolve();
    open--;
    return { ...page, entries: Array.from({ length: 10 }, () => ({ type: 'unreadable', raw: 'null' })) };
  };
  const pages = new PagesAhead(fetch, 9, 3, undefined, new FakeClock());
  await pages.page(0, 10);
  assert.deepEqual(asked, [0, 9, 18, 27]);
  for (let at = 9; at < 90; at += 9) await pages.page(at, 10);
  assert.deepEqual([new Set(asked).size, max], [asked.length, 3]);
});

test('a page of one item, which shows no step, does not change the steps', async () => {
  const asked: number[] = [];
  const fetch = async (offset: number): Promise<ListPage> => {
    asked.push(offset);
    return { ...page, entries: [{ type: 'unreadable', raw: 'null' }] };
  };
  const pages = new PagesAhead(fetch, 9, 3, undefined, new FakeClock());
  await pages.page(0, 10);
  asked.length = 0;
  await pages.page(1, 10);
  assert.deepEqual(asked, [1, 10, 19]);
});

test('waiting for a service ends when it is cancelled', async () => {
  const { clock, stop, asked, outcome } = limited((nowMs) => ({ retryAtMs: nowMs + 5000 }));
  await clock.advance(1000);
  stop.abort();
  await clock.advance(60_000);
  assert.deepEqual([outcome(), asked(), clock.pending], ['cancelled', pagesAtOnce, 0]);
});
