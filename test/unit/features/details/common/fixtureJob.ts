import { readFileSync } from 'node:fs';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { jobFrom } from './jobFrom.ts';

export type JobFixture = 'preRecordedDone' | 'preRecordedFailed' | 'preRecordedProcessing' | 'liveDone' | 'nearlyEmpty';

/**
 * Returns a job of `test/fixtures/jobs` with its text as in the file. The path is relative to the root of the project, the working
 * directory of every test.
 */
export function fixtureJob(name: JobFixture): Job {
  const raw = readFileSync(`test/fixtures/jobs/${name}.json`, 'utf8');
  return jobFrom(JSON.parse(raw), undefined, raw.trim());
}
