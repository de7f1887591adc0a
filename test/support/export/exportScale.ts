import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { startSampleService, type SampleService } from '../../../src/sample/sampleService.ts';
import { FileTarget } from '../../../src/jobs/node/export/fileTarget.ts';
import { exportBatches, writeExport } from '../../../src/jobs/node/export/exporter.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { faultRun } from '../faults/faultRun.ts';
import { parseCsv } from './parseCsv.ts';

const clock = (): number => Date.UTC(2026, 10, 20);
const lists = ['pre-recorded', 'live'] as const;

const folder = mkdtempSync(join(tmpdir(), 'tj-export-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** Reads the IDs of both lists, as the reference. Uses the service's maximum limit of ten thousand, for few requests. */
async function allIds({ baseUrl, key }: SampleService): Promise<string[]> {
  const ids: string[] = [];
  for (const list of lists) {
    for (let offset = 0; ; offset += 10_000) {
      const response = await fetch(`${baseUrl}/v2/${list}?limit=10000&offset=${offset}`, {
        headers: { 'x-service-key': key },
      });
      const page = (await response.json()) as { items: { id: string }[]; next: string | null };
      ids.push(...page.items.map(({ id }) => id));
      if (page.next === null) break;
    }
  }
  return ids;
}

/** Returns the bytes of heap memory in use after garbage collection. */
function heapInUse(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed;
}
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Functions that read the IDs back. NDJSON is left out, because it differs from JSON only in a few bytes. */
const idsOf = {
  json: (text: string) => (JSON.parse(text) as { id: string }[]).map(({ id }) => id),
  csv: (text: string) =>
    parseCsv(text)
      .slice(1)
      .map(([id]) => id),
} as const;

/** Defines a test that exports all jobs of a sample service with this number of jobs, watching the memory. */
export function testExportScale(format: keyof typeof idsOf, count: number): void {
  test(`${count} jobs as ${format}: memory grows by the IDs only, and the file has the same IDs`, async (context) => {
    const service = await startSampleService({ count, clock });
    try {
      const expected = await allIds(service);
      const { lists: reader, client } = faultRun(service.baseUrl, undefined, service.key);
      const path = join(folder, `jobs.${format}`);
      const heap: number[] = [];
      const step = Math.floor(expected.length / 10);
      let nextSample = step;
      const questions = lists.map((endpoint) => ({ endpoint, params: {} }));
      const batches = exportBatches(reader, questions, 250, new AbortController().signal);
      const outcome = await writeExport(batches, format, await FileTarget.open(path), {
        keyMask: new KeyMask(service.key),
        onProgress: (written) => {
          if (written < nextSample) return;
          nextSample += step;
          heap.push(heapInUse());
        },
      });
      client.dispose();
      const mebibytes = heap.map((bytes) => Math.round(bytes / 2 ** 20));
      context.diagnostic(`heap in MiB: ${mebibytes.join(' ')}`);
      assert.deepEqual(outcome, {
        type: 'complete',
        written: expected.length,
        contradicting: 0,
        unreadable: 0,
        tooLarge: 0,
      });
      assert.ok(heap.length >= 9);
      const growth = Math.max(...heap) - Math.min(...heap);
      assert.ok(growth < 8 * 2 ** 20 + 150 * expected.length, `grew by ${growth} bytes: ${mebibytes.join(' ')}`);
      const found = idsOf[format](readFileSync(path, 'utf8'));
      assert.equal(found.length, expected.length);
      assert.deepEqual(new Set(found), new Set(expected));
    } finally {
      await service.stop();
    }
  });
}
