import * as vscode from 'vscode';
import { sampleName } from '../../connections/common/connectionInput.ts';
import { hasResult, isJobKind, isLinkable, isUnfinished, mayNameAudio, type Job } from '../common/job.ts';
import { isPartlyFailed } from '../common/failedAddOns.ts';
import type { RowFacts } from '../common/jobRow.ts';
import { echoesRequest, waysToRunAgain, type WaysToRunAgain } from '../common/runAgain.ts';

/** Dependencies of tree items besides the store. */
export interface ItemFacts extends RowFacts {
  /** Name of the connection; part of every id. */
  readonly connection: string;
  /** Host of its service. */
  readonly host: string;
  /** IDs of jobs that were submitted in a batch, also of other connections. */
  readonly inBatch?: ReadonlySet<string>;
  /** True if the failure of a job was marked as handled. */
  readonly isHandled?: (job: Job) => boolean;
}

const statusIcons: Readonly<Record<string, vscode.ThemeIcon>> = {
  queued: new vscode.ThemeIcon('clock', new vscode.ThemeColor('descriptionForeground')),
  processing: new vscode.ThemeIcon('sync', new vscode.ThemeColor('charts.blue')),
  done: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('charts.red')),
};

/** Returns the icon of a status, which may be unknown. */
export function statusIcon(status: string): vscode.ThemeIcon {
  return statusIcons[status] ?? new vscode.ThemeIcon('question');
}

/**
 * The icon of a job that is done although a part of its result failed. Has a different shape, for users who cannot
 * distinguish the colours.
 */
export const partlyFailedIcon = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/**
 * Returns the context value for menus: the kind; if the job can still change; if it failed, and that is handled; if its
 * request is known and can be sent again; if it has an address of its audio, and a result; if a link can lead to it; and
 * if it was submitted from this machine, alone or in a batch.
 */
export function jobContext(
  job: Job,
  facts: Pick<ItemFacts, 'connection' | 'submittedAs' | 'inBatch' | 'resubmittedAs' | 'isHandled'>,
): string {
  const kind = isJobKind(job.kind) ? job.kind : 'unknown';
  const ways = listWaysToRunAgain(job, facts);
  const words = [
    isUnfinished(job) ? 'unfinished' : 'finished',
    ...(job.status === 'error' || isPartlyFailed(job)
      ? ['failed', ...(facts.isHandled?.(job) === true ? ['handled'] : [])]
      : []),
    ...(job.kind !== 'live' && echoesRequest(job) ? ['echo'] : []),
    ...(ways.resubmit ? ['resubmittable'] : []),
    ...(ways.retry ? ['retryable'] : []),
    ...(mayNameAudio(job) ? ['audio'] : []),
    ...(hasResult(job) ? ['result'] : []),
    ...(isLinkable(job) && facts.connection !== sampleName ? ['linkable'] : []),
    ...(facts.submittedAs?.has(job.id) === true
      ? ['submitted', ...(facts.inBatch?.has(job.id) === true ? ['batch'] : [])]
      : []),
  ];
  return `job ${kind} ${words.join(' ')}`;
}

/** Returns the ways to run a job again that its menu offers. */
export function listWaysToRunAgain(
  job: Job,
  { submittedAs, resubmittedAs }: Pick<ItemFacts, 'submittedAs' | 'resubmittedAs'>,
): WaysToRunAgain {
  const isSubmitted = submittedAs?.has(job.id) === true;
  const isResubmitted = resubmittedAs?.has(job.id) === true;
  return waysToRunAgain(job, { isSubmitted, isResubmitted });
}
