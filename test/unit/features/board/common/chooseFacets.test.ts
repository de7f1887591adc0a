import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseFacets } from '../../../../../src/features/board/common/chooseFacets.ts';
import { describeValue } from '../../../../../src/features/board/common/boardText.ts';
import { columnsOf, jobOf } from './boardJobs.ts';

/** Returns the facets of a board, metadata only. */
function facetsOf(count: number, metadataOf: (index: number) => Record<string, string>): readonly string[] {
  const jobs = Array.from({ length: count }, (_, index) =>
    jobOf({ id: `job-${index}`, status: index % 7 === 0 ? 'error' : 'done', custom_metadata: metadataOf(index) }),
  );
  return chooseFacets({ columns: columnsOf(jobs), size: count }).flatMap(
    (key) => key.replace(/^custom_metadata\.|^[a-z_]+$/u, '') || [],
  );
}

test('a key with a different value for nearly each job is not a facet, and keys that split the jobs are', () => {
  const facets = facetsOf(742, (index) => ({
    name: index < 4 ? 'Interview' : `Interview ${index}`,
    conversation: `c${index >> 1}`,
    customer: `customer ${index % 5}`,
    team: index % 3 === 0 ? 'red' : 'blue',
    env: index % 4 === 0 ? 'staging' : 'prod',
    agent: `agent ${index % 60}`,
    ...(index < 8 && { ticket: `T-${index}` }),
  }));
  assert.deepEqual(facets.toSorted(), ['agent', 'customer', 'env', 'team']);
});

test('a key that hardly splits the jobs follows a key that splits half of them evenly', () => {
  const facets = facetsOf(700, (index) => ({
    flag: index % 100 === 0 ? 'odd' : 'usual',
    ...(index % 2 === 0 && { team: index % 4 === 0 ? 'red' : 'blue' }),
  }));
  assert.deepEqual(facets, ['team', 'flag']);
});

test('a board with few jobs has facets, too', () => {
  assert.deepEqual(
    facetsOf(8, (index) => ({ name: `Interview ${index}`, customer: index % 3 === 0 ? 'acme' : 'globex' })),
    ['customer'],
  );
});

test('an empty list of languages is described in words, an empty text is quoted', () => {
  assert.equal(describeValue('request_params.language_config.languages', '', {}), 'empty list');
  assert.equal(describeValue('custom_metadata.customer', '', {}), '""');
});
