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
import type { RowFacts } from '../common/jobRow.ts';

/** What tree items depend on besides the store. */
export interface ItemFacts extends RowFacts {
  /** Name of the connection; part of every id. */
  readonly connection: string;
  /** Host of its service. */
  readonly host: string;
}

const statusIcons: Readonly<Record<string, vscode.ThemeIcon>> = {
  queued: new vscode.ThemeIcon('clock', new vscode.ThemeColor('descriptionForeground')),
  processing: new vscode.ThemeIcon('sync', new vscode.ThemeColor('charts.blue')),
  done: new vscode.ThemeIcon('pass', new vscode.ThemeColor('testing.iconPassed')),
  error: new vscode.ThemeIcon('error', new vscode.ThemeColor('charts.red')),
};

/** The icon of a status, which the service may have made up. */
export function statusIcon(status: string): vscode.ThemeIcon {
  return statusIcons[status] ?? new vscode.ThemeIcon('question');
}

/** The icon of a job that is done although a part of its result failed: another shape too, for whom a colour says nothing. */
export const partlyFailedIcon = new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));

/**
 * Context value for menus: kind, whether the job can still change, whether it tells its request, whether that can be tried again, whether
 * it holds an address of its audio and a result, whether a link can lead to it, and whether it was submitted from here.
 */
export function jobContext(
  job: Job,
  { connection, submittedAs }: Pick<ItemFacts, 'connection' | 'submittedAs'>,
): string {
  const kind = isJobKind(job.kind) ? job.kind : 'unknown';
  const facts = [
    isUnfinished(job) ? 'unfinished' : 'finished',
    ...(job.kind !== 'live' && echoesRequest(job) ? ['echo'] : []),
    ...(isRetryable(job) ? ['retryable'] : []),
    ...(mayNameAudio(job) ? ['audio'] : []),
    ...(hasResult(job) ? ['result'] : []),
    ...(isLinkable(job) && connection !== sampleName ? ['linkable'] : []),
    ...(submittedAs?.has(job.id) === true ? ['submitted'] : []),
  ];
  return `job ${kind} ${facts.join(' ')}`;
}
