import { readFileSync } from 'node:fs';
import type { Job } from '../../../../src/domain/jobs/job.ts';
import { jobFrom } from './jobFrom.ts';

export type JobFixture = 'preRecordedDone' | 'preRecordedFailed' | 'preRecordedProcessing' | 'liveDone' | 'nearlyEmpty';

/** A job of `test/fixtures/jobs`, its text as the file has it. Path from the project's root, where every test runs. */
export function fixtureJob(name: JobFixture): Job {
  const raw = readFileSync(`test/fixtures/jobs/${name}.json`, 'utf8');
  return jobFrom(JSON.parse(raw), undefined, raw.trim());
}
