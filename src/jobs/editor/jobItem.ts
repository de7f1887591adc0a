import * as vscode from 'vscode';
import { sampleName } from '../../connections/common/connectionInput.ts';
import {
  echoesRequest,
  hasResult,
  isJobKind,
  isLinkable,
  isRetryable,
  isUnfinished,
  mayNameAudio,
  type Job,
} from '../common/job.ts';
import { isPartlyFailed } from '../common/failedAddOns.ts';
import type { RowFacts } from '../common/jobRow.ts';

/** Dependencies of tree items besides the store. */
export interface ItemFacts extends RowFacts {
  /** Name of the connection; part of every id. */
  readonly connection: string;
  /** Host of its service. */
  readonly host: string;
  /** IDs of jobs that were submitted in a batch, also of other connections. */
  readonly inBatch?: ReadonlySet<string>;
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
 * Returns the context value for menus: the kind; if the job can still change; if its request is known and can be sent
 * again; if it has an address of its audio, and a result; if a link can lead to it; and if it was submitted from this
 * machine, alone or in a batch.
 */
export function jobContext(
  job: Job,
  { connection, submittedAs, inBatch }: Pick<ItemFacts, 'connection' | 'submittedAs' | 'inBatch'>,
): string {
  const kind = isJobKind(job.kind) ? job.kind : 'unknown';
  const facts = [
    isUnfinished(job) ? 'unfinished' : 'finished',
    ...(job.status === 'error' || isPartlyFailed(job) ? ['failed'] : []),
    ...(job.kind !== 'live' && echoesRequest(job) ? ['echo'] : []),
    ...(isRetryable(job) ? ['retryable'] : []),
    ...(mayNameAudio(job) ? ['audio'] : []),
    ...(hasResult(job) ? ['result'] : []),
    ...(isLinkable(job) && connection !== sampleName ? ['linkable'] : []),
    ...(submittedAs?.has(job.id) === true ? ['submitted', ...(inBatch?.has(job.id) === true ? ['batch'] : [])] : []),
  ];
  return `job ${kind} ${facts.join(' ')}`;
}
