import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { SchemaDeviation } from '../../../../src/domain/decode/readShape.ts';
import { withDeviationsLogged } from '../../../../src/service/api/connectedApi.ts';

function logOf(pages: readonly (readonly SchemaDeviation[])[]) {
  const lines: string[] = [];
  const queue = [...pages];
  const note = (line: string): unknown => lines.push(line);
  const source = withDeviationsLogged(
    {
      listJobs: () =>
        Promise.resolve({ entries: [], hasMore: false, serviceDateMs: undefined, deviations: queue.shift() ?? [] }),
    },
    { debug: note, info: note, warn: note, error: note },
  );
  const readAll = async (): Promise<readonly string[]> => {
    while (queue.length > 0) await source.listJobs('live', {});
    return lines;
  };
  return readAll();
}

describe('Deviations of a service', () => {
  it('have one line for each shape', async () => {
    const missing = { path: 'items[].version', kind: 'missing' } as const;
    const unknown = { path: 'items[].*', kind: 'unknownField' } as const;
    assert.deepEqual(await logOf([[missing, unknown], [missing], [unknown, missing]]), [
      'unexpected in the answers of live: missing items[].version',
      'unexpected in the answers of live: unknownField items[].*',
    ]);
  });

  it('have fifty lines at most, and a word that there are more', async () => {
    const many = Array.from({ length: 30 }, (_, page) =>
      Array.from({ length: 10 }, (_each, index) => ({ path: `f${page}.${index}`, kind: 'missing' }) as const),
    );
    const lines = await logOf(many);
    assert.equal(lines.length, 51);
    assert.equal(lines.at(-1), 'more is unexpected in the answers than is told here');
  });
});
