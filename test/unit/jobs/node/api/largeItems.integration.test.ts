import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { after, before, suite, test } from 'node:test';
import type { JobKind, Job, ListEntry } from '../../../../../src/jobs/common/job.ts';
import { listFailedAddOns } from '../../../../../src/jobs/common/failedAddOns.ts';
import { systemClock } from '../../../../../src/base/clock.ts';
import { exportBatches, writeExport, type ExportFormat } from '../../../../../src/jobs/node/export/exporter.ts';
import { locateJob } from '../../../../../src/jobs/node/jobSearch.ts';
import { JobStore } from '../../../../../src/jobs/node/store/jobStore.ts';
import { BoardReading } from '../../../../../src/features/board/node/boardReading.ts';
import { lookUpWatchedJobs } from '../../../../../src/features/watch/node/jobWatcher.ts';
import { itemOfNames, itemOfValues, spokenItem } from '../../../../support/builders/largeItems.ts';
import { preRecordedItem } from '../../../../support/builders/jobItem.ts';
import { withoutBlocking } from '../../../../support/hostile/hostileGuard.ts';
import type { ListReader } from '../../../../../src/jobs/node/list/listReader.ts';
import { faultRun, sentinelKey } from '../../../../support/faults/faultRun.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { parseCsv } from '../../../../support/export/parseCsv.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';

const kind: JobKind = 'pre-recorded';
const never = new AbortController().signal;
const mebibyte = 1024 * 1024;
const createdAtMs = Date.UTC(2026, 10, 19, 10);

/** Forty jobs, newest first. Large ones: one hour with two translations, 20 MB, 300,000 values, 30,000 names. */
const large: Readonly<Record<string, string>> = {
  hour: spokenItem('hour', 3600),
  huge: JSON.stringify(
    preRecordedItem({ id: 'huge', result: { transcription: { full_transcript: 'so '.repeat(7e6) } } }),
  ),
  values: itemOfValues('values', 300_000),
  names: itemOfNames('names', 30_000),
};
const names = Object.keys(large);
const ids = Array.from({ length: 40 }, (_, index) =>
  index % 10 === 5 ? (names[(index - 5) / 10] ?? '') : `job-${index}`,
);
const createdAt = (index: number): string => new Date(createdAtMs - index * 60_000).toISOString();
const texts = ids.map((id, index) => {
  const text = large[id] ?? JSON.stringify(preRecordedItem({ id }));
  return text.replace(/"created_at":"[^"]*"/, `"created_at":"${createdAt(index)}"`);
});

let server: Server;
let origin = '';
before(async () => {
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? '', 'http://localhost');
    const beforeMs = Date.parse(searchParams.get('before_date') ?? '2100-01-01');
    const afterMs = Date.parse(searchParams.get('after_date') ?? '1970-01-01');
    const offset = Number(searchParams.get('offset') ?? 0);
    const limit = Number(searchParams.get('limit') ?? 20);
    const matching = ids.flatMap((_id, index) => {
      const ms = Date.parse(createdAt(index));
      return ms < beforeMs && ms > afterMs ? [texts[index] ?? ''] : [];
    });
    const items = matching.slice(offset, offset + limit);
    const next = offset + limit < matching.length ? '"more"' : 'null';
    response.setHeader('content-type', 'application/json');
    response.end(`{"first":"","current":"","next":${next},"items":[${items.join(',')}]}`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  origin = typeof address === 'object' && address !== null ? `http://127.0.0.1:${address.port}` : '';
});
after(() => {
  server.closeAllConnections();
  server.close();
});

/** Connects the real API over loopback, as the product reads lists. */
function connect() {
  const { lists, client } = faultRun(origin);
  return { source: lists, end: () => client.dispose() };
}

const idOf = (entry: ListEntry): string => (entry.type === 'job' ? entry.id : 'unreadable');

/** Reads with a connection, and requires that nothing blocks meanwhile. */
async function readWithoutBlocking(read: (source: ListReader) => Promise<void>): Promise<void> {
  await withoutBlocking(async () => {
    const { source, end } = connect();
    try {
      await read(source);
    } finally {
      end();
    }
  });
}

async function exported(source: ListReader, format: ExportFormat) {
  const pieces: string[] = [];
  const target = {
    write: async (text: string) => void pieces.push(text),
    commit: () => Promise.resolve(),
    abandon: () => Promise.resolve(undefined),
  };
  const batches = exportBatches(source, [{ endpoint: kind, params: {} }], 100, never);
  const outcome = await writeExport(batches, format, target, { keyMask: new KeyMask(sentinelKey) });
  return { outcome, pieces };
}

suite('items of megabytes', () => {
  test('an hour of speech with two translations is large', () => {
    assert.ok((large['hour']?.length ?? 0) > 4.2e6);
  });

  test('are rows like all others, with their failed add-ons, and with whole results on request', async () => {
    const store = new JobStore(
      () => ({ limit: 100, groupBy: 'status', listSource: 'byKind' }),
      systemClock,
      new KeptLog(),
    );
    const key = { kind, status: 'done' } as const;
    const rows = new Map<string, Job>();
    await readWithoutBlocking(async (source) => {
      store.use(source);
      await store.load(key);
      for (const entry of store.list(key).jobs.entries) if (entry.type === 'job') rows.set(entry.id, entry);
      assert.deepEqual(store.list(key).jobs.entries.map(idOf), ids);
      assert.ok([...rows.values()].every(({ raw, whole }) => raw.length < 256 * 1024 && whole === undefined));
      for (const id of names) {
        const row = rows.get(id) ?? assert.fail(id);
        const { raw } = await store.readWhole(row, never);
        assert.ok(raw === texts[ids.indexOf(id)], `the whole item of ${id}`);
      }
    });
    const hour = rows.get('hour') ?? assert.fail('it is a row');
    assert.deepEqual(listFailedAddOns(hour), ['Summary failed: It was too long']);
    assert.equal(hour.completedAtMs, Date.parse('2026-11-19T10:02:03.500Z'));
    store.dispose();
  });

  for (const format of ['json', 'ndjson'] as const) {
    test(`are exported whole as ${format}, and the export is complete`, async () => {
      let pieces: readonly string[] = [];
      await readWithoutBlocking(async (source) => {
        const made = await exported(source, format);
        ({ pieces } = made);
        assert.deepEqual(made.outcome, { type: 'complete', written: 40, contradicting: 0, unreadable: 0, tooLarge: 0 });
      });
      const expected = format === 'json' ? `[\n${texts.join(',\n')}\n]\n` : `${texts.join('\n')}\n`;
      assert.ok(pieces.join('') === expected, 'every item as sent');
      assert.ok(pieces.every((piece) => piece.length <= 3 * mebibyte));
    });
  }

  test('have their IDs and fields in CSV', async () => {
    await readWithoutBlocking(async (source) => {
      const { outcome, pieces } = await exported(source, 'csv');
      assert.deepEqual([outcome.type, outcome.written, outcome.unreadable], ['complete', 40, 0]);
      const [header = [], ...records] = parseCsv(pieces.join(''));
      assert.deepEqual(
        records.map(([id]) => id),
        ids,
      );
      const customer = header.indexOf('custom_metadata.customer');
      assert.ok(records.every((record) => record[customer] === 'Blue Harbor'));
    });
  });

  test('are counted by the board', async () => {
    await readWithoutBlocking(async (source) => {
      const query = { endpoint: kind, params: {} };
      const reading = new BoardReading(source, [query], { clock: systemClock });
      await reading.readOn('all', () => Promise.resolve());
      const { extent, unreadable } = reading.facts;
      assert.deepEqual([extent.type, reading.columns.size, unreadable], ['whole', 40, 0]);
      assert.ok(reading.jobs.every((job) => job?.whole === undefined));
    });
  });

  test('are recognized as done by a watch, and found by a link', async () => {
    await readWithoutBlocking(async (source) => {
      for (const id of ['hour', 'huge']) {
        const params = { afterDate: createdAt(ids.indexOf(id) + 1), statuses: ['done'] } as const;
        const watched = { kind, id, connection: 'Faulty', sinceMs: createdAtMs } as const;
        const { found } = await lookUpWatchedJobs(source, { kind, params, jobs: [watched as never] }, never);
        assert.equal(found.get(id)?.status, 'done');
        const job = await locateJob(source, { kind, id, createdAtMs: Date.parse(createdAt(ids.indexOf(id))) }, never);
        assert.equal(job?.id, id);
      }
    });
  });
});
