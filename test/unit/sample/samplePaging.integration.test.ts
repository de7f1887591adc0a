import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { dayMs } from '../../../src/base/time.ts';
import { SampleJobs } from '../../../src/sample/sampleJobs.ts';
import { sampleQuery } from '../../../src/sample/sampleQuery.ts';
import type { Item } from './sampleClient.ts';
import { Sample, start } from './sampleClient.ts';

const statuses = ['queued', 'processing', 'done', 'error'] as const;
const kinds = ['pre-recorded', 'live'] as const;

interface Wanted {
  readonly statuses: readonly string[];
  readonly kinds: readonly string[];
  readonly date: string | undefined;
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly metadata: Readonly<Record<string, string | number>>;
}

const instant = fc.integer({ min: start - 95 * dayMs, max: start + dayMs }).map((at) => new Date(at).toISOString());
const wanted: fc.Arbitrary<Wanted> = fc.record({
  statuses: fc.subarray([...statuses]),
  kinds: fc.subarray([...kinds]),
  date: fc.option(
    instant.map((at) => at.slice(0, 10)),
    { nil: undefined, freq: 4 },
  ),
  before: fc.option(instant, { nil: undefined }),
  after: fc.option(instant, { nil: undefined }),
  metadata: fc.constantFrom<Record<string, string | number>>(
    {},
    {},
    { language: 'en' },
    { customer: 'Café Noir' },
    { language: 'fr', team: 'tier-1' },
    { episode: 7 },
    { customer: 'nobody' },
  ),
});

/** A change to the jobs, at a position between 0 (newest) and 1 (oldest). */
const change = fc.record({
  what: fc.constantFrom('add', 'tie', 'remove', 'setStatus'),
  place: fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
  status: fc.constantFrom(...statuses),
  kind: fc.constantFrom(...kinds),
});

type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

function apply(
  { what, place, status, kind }: Change,
  target: Pick<Sample['service'], 'add' | 'remove' | 'setStatus'>,
  items: readonly Item[],
): void {
  const item = items[Math.floor(place * items.length)];
  if (!item) return;
  const createdAt = what === 'tie' ? Date.parse(item.created_at) : start - Math.floor(place * 90 * dayMs);
  if (what === 'remove') target.remove(item.id);
  else if (what === 'setStatus') target.setStatus(item.id, status);
  else target.add({ createdAt, kind, status, fields: { custom_metadata: { language: 'en', episode: 7 } } });
}

function queryOf(filter: Wanted): string {
  const query = new URLSearchParams();
  for (const status of filter.statuses) query.append('status', status);
  for (const kind of filter.kinds) query.append('kind', kind);
  if (filter.date !== undefined) query.append('date', filter.date);
  if (filter.before !== undefined) query.append('before_date', filter.before);
  if (filter.after !== undefined) query.append('after_date', filter.after);
  for (const [key, value] of Object.entries(filter.metadata)) query.append(`custom_metadata[${key}]`, String(value));
  return query.toString();
}

/** Filters by simple means, as the reference for the service's own filter. */
function shows(filter: Wanted, item: Item): boolean {
  if (filter.statuses.length > 0 && !filter.statuses.includes(item.status)) return false;
  if (filter.kinds.length > 0 && !filter.kinds.includes(item.kind)) return false;
  if (filter.date !== undefined && !item.created_at.startsWith(filter.date)) return false;
  if (filter.before !== undefined && !(item.created_at < filter.before)) return false;
  if (filter.after !== undefined && !(item.created_at > filter.after)) return false;
  return Object.entries(filter.metadata).every(([key, value]) => item.custom_metadata?.[key] === value);
}

const ids = (items: readonly Item[]): readonly string[] => items.map((item) => item.id);

test('over the port: paging through any filter lists the same as filtering the whole list in memory', async () => {
  await using sample = await Sample.open({ count: 600 });
  await fc.assert(
    fc.asyncProperty(
      wanted,
      change,
      fc.integer({ min: 7, max: 120 }),
      fc.nat(100_000),
      async (filter, each, limit, passed) => {
        sample.now = start + passed;
        apply(each, sample.service, await sample.all());
        const whole = await sample.all();
        const paged: Item[] = [];
        for (let offset = 0, more = true; more; offset += limit) {
          const { body } = await sample.get(`/v2/transcription?${queryOf(filter)}&offset=${offset}&limit=${limit}`);
          paged.push(...body.items);
          more = body.next !== null;
        }
        assert.deepEqual(
          paged,
          whole.filter((item) => shows(filter, item)),
        );
      },
    ),
    // Fewer: each reads a whole list over HTTP, page by page.
    { numRuns: 12 },
  );
});

const asListed = (a: Item, b: Item): number =>
  Date.parse(b.created_at) - Date.parse(a.created_at) || (a.id < b.id ? -1 : 1);

test('in memory: every page of any filter, after any changes, is a slice of the filtered whole list', () => {
  const wholeOf = (jobs: SampleJobs, now: number): readonly Item[] => {
    const page = jobs.list(sampleQuery('', undefined).filter, 0, 10_000, now);
    return JSON.parse(JSON.stringify(page.items)) as Item[];
  };
  fc.assert(
    fc.property(
      fc.record({ seed: fc.nat(), count: fc.nat(1200), passed: fc.nat(100_000) }),
      fc.array(change, { maxLength: 12 }),
      fc.array(fc.record({ filter: wanted, share: fc.double({ min: 0, max: 1.1, noNaN: true }), limit: fc.nat(50) }), {
        minLength: 8,
        maxLength: 8,
      }),
      ({ seed, count, passed }, changes, pages) => {
        const jobs = new SampleJobs(seed, count, start);
        const now = start + passed;
        const before = wholeOf(jobs, now);
        const target = {
          add: (spec: Parameters<SampleJobs['add']>[0] = {}) => jobs.add(spec, now),
          remove: (id: string) => jobs.remove(id),
          setStatus: (id: string, status: (typeof statuses)[number]) => jobs.setStatus(id, status, now),
        };
        for (const each of changes) apply(each, target, before);
        const items = wholeOf(jobs, now);
        assert.deepEqual(ids(items), ids(items.toSorted(asListed)));
        for (const { filter, share, limit } of pages) {
          const kept = ids(items.filter((item) => shows(filter, item)));
          const offset = Math.floor(share * kept.length);
          const page = jobs.list(sampleQuery(queryOf(filter), undefined).filter, offset, limit, now);
          const pageIds = page.items.map((item) => item['id']);
          assert.deepEqual(pageIds, kept.slice(offset, offset + limit));
          assert.equal(page.hasMore, offset + limit < kept.length);
        }
      },
    ),
    // Fewer: each lists a thousand jobs and filters them again for eight pages.
    { numRuns: 40 },
  );
});
