import type { WholeJobSource } from '../node/store/wholeJobs.ts';
import * as vscode from 'vscode';
import { formatNumber } from '../../base/format.ts';
import type { Job } from '../common/job.ts';
import { maskEntry } from '../node/export/maskEntry.ts';
import type { KeyMask } from '../../platform/http/keyMask.ts';
import { withCancel } from '../../platform/editor/progress.ts';
import { locale } from '../../platform/editor/locale.ts';

/**
 * Returns jobs with their results, in which keys are masked. Results that are no longer cached are read again, one
 * after the other, with a cancel button. @throws Failure
 */
export async function readWholeJobs(
  jobs: readonly Job[],
  source: WholeJobSource,
  keyMask: KeyMask,
): Promise<readonly Job[]> {
  const atHand = jobs.flatMap((job) => source.whole(job) ?? []);
  if (atHand.length === jobs.length) return Promise.all(atHand.map((job) => maskEntry(job, keyMask)));
  return withCancel(vscode.l10n.t('Reading results'), async (signal, report) => {
    const read: Job[] = [];
    for (const job of jobs) {
      read.push(await maskEntry(await source.readWhole(job, signal), keyMask));
      report(vscode.l10n.t('{0} of {1}', formatNumber(read.length, locale), formatNumber(jobs.length, locale)));
    }
    return read;
  });
}
