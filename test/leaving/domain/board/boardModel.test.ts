import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { BoardView, sortRows } from '../../../../src/domain/board/boardView.ts';
import { boardJobs, columnsOf } from '../../../unit/domain/board/boardJobs.ts';

describe('The model of a board', () => {
  it('gives the largest values of a sampled field wider intervals than a value that was asked for', () => {
    const jobs = boardJobs({ seed: 5, count: 600 });
    const data = { columns: columnsOf(jobs), strata: [{ read: 600, total: 60_000 }], stratumOf: () => 0 };
    const order = sortRows(data, { key: 'created_at', isDescending: false });
    const view = new BoardView(data, { facets: [], range: undefined }, order);
    const [picked] = view.facet('custom_metadata.agent', 8)?.values ?? [];
    const [known] = view.facet('custom_metadata.agent', 100)?.values ?? [];
    assert.ok(picked && known);
    assert.equal(picked.value, known.value);
    assert.ok(picked.figure.low < known.figure.low && picked.figure.high > known.figure.high);
  });
});
