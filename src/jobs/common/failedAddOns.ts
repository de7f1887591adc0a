import { isJsonObject } from '../../base/json/json.ts';
import { oneLine } from '../../base/outsideText.ts';
import { describeFailedAddOn, readAddOns } from './result/addOns.ts';
import { hasResult, readJobItem, type Job } from './job.ts';

/** A job can have hundreds of prompts, but a tooltip must stay short. */
const maxFailures = 5;
const maxReasonLength = 200;

/** Also matches if a letter of a name is escaped. */
const mayTellFailure = /"success"\s*:\s*"?false|"error"\s*:\s*(?:\{|"[^"])|\\u00[67]/u;

/** True if a job is done although an add-on failed. Never throws. */
export function isPartlyFailed(job: Job): boolean {
  // Most results can be excluded by their text, which is faster than parsing them.
  return job.status === 'done' && mayTellFailure.test(job.raw) && listFailedAddOns(job).length > 0;
}

/** Returns the failures inside a job, a short line for each add-on: "Translation failed: …". Safe to show. Never throws. */
export function listFailedAddOns(job: Pick<Job, 'raw'>): readonly string[] {
  const result = hasResult(job) ? readJobItem(job)['result'] : undefined;
  if (!isJsonObject(result)) return [];
  return readAddOns(result, () => undefined)
    .filter(({ outcome }) => outcome === 'failed')
    .slice(0, maxFailures)
    .map((addOn) => oneLine(describeFailedAddOn(addOn), maxReasonLength));
}
