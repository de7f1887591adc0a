import { t } from '@vscode/l10n';
import { isJsonObject } from '../../base/json/json.ts';
import { oneLine } from '../../base/outsideText.ts';
import { describeFailedAddOn, nameAddOn, readAddOns, type AddOn } from './result/addOns.ts';
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

/**
 * Returns the failures inside a job, a short line for each add-on: "Translation failed: …". Safe to show. Never throws.
 * @param mask masks the key before a line is cut
 */
export function listFailedAddOns(
  job: Pick<Job, 'raw'>,
  mask: (text: string) => string = (text) => text,
): readonly string[] {
  return readFailedAddOns(job).map((addOn) => oneLine(mask(describeFailedAddOn(addOn)), maxReasonLength));
}

/** Returns the service's names of the add-ons that failed in a job that is done: `translation`. Never throws. */
export function nameFailedAddOns(job: Job): readonly string[] {
  if (job.status !== 'done' || !mayTellFailure.test(job.raw)) return [];
  return readFailedAddOns(job).map(({ name }) => oneLine(name, maxReasonLength));
}

function readFailedAddOns(job: Pick<Job, 'raw'>): readonly AddOn[] {
  const result = hasResult(job) ? readJobItem(job)['result'] : undefined;
  if (!isJsonObject(result)) return [];
  return readAddOns(result, () => undefined)
    .filter(({ outcome }) => outcome === 'failed')
    .slice(0, maxFailures);
}

/** Describes failed add-ons by name: "Translation failed. Summary failed." */
export function describeFailedNames(names: readonly string[]): string {
  return names.map((name) => t('{0} failed.', oneLine(nameAddOn(name), maxReasonLength))).join(' ');
}

/**
 * Counts jobs that are done: "13 done, 1 of them without its translation".
 * @param partly for each job that failed in part, the names of its failed add-ons
 */
export function countDone(done: number, partly: readonly (readonly string[])[]): string {
  const text = done === 1 ? t('1 done') : t('{0} done', done);
  if (partly.length === 0) return text;
  const names = new Set(partly.map((each) => (each.length === 1 ? each[0] : undefined)));
  const [name] = names;
  const what = describeLoss(names.size === 1 ? name : undefined, partly.length);
  return done === 1 ? t('1 done, {0}', what) : t('{0} done, {1} of them {2}', done, partly.length, what);
}

/** Counts jobs that failed. */
export function countFailed(failed: number): string {
  return failed === 1 ? t('1 failed') : t('{0} failed', failed);
}

/** @param name of the only add-on that these jobs lack; undefined if there are several */
function describeLoss(name: string | undefined, count: number): string {
  const isOne = count === 1;
  switch (name) {
    case 'translation':
      return isOne ? t('without its translation') : t('without their translations');
    case 'summarization':
      return isOne ? t('without its summary') : t('without their summaries');
    case 'subtitles':
      return isOne ? t('without its subtitles') : t('without their subtitles');
    default:
      return t('failed in part');
  }
}
