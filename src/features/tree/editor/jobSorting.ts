import * as vscode from 'vscode';
import type { Locale } from '../../../base/format.ts';
import type { Job } from '../../../jobs/common/job.ts';
import {
  describeJobOrder,
  describeLength,
  jobOrders,
  orderedPlaces,
  orderLists,
  type JobOrder,
} from '../../../jobs/common/jobOrder.ts';
import type { TreeArrangement } from '../common/jobTree.ts';
import type { Clock } from '../../../base/clock.ts';
import { pickOne, type Choice } from '../../../platform/editor/quickPick.ts';

/** Order of loaded jobs in the tree. */
export interface JobSorting extends TreeArrangement {
  /** Description of the order. */
  readonly text: string;
  /** Returns how long a job took; undefined if the order does not depend on it. */
  readonly lengthOf: ((job: Job) => string | undefined) | undefined;
}

/** Returns the sorting for an order; undefined for the service's order, which needs none. */
export function sortingBy(order: JobOrder, clock: Pick<Clock, 'now'>, locale: Locale): JobSorting | undefined {
  if (order === 'newest') return undefined;
  return {
    text: describeJobOrder(order),
    lengthOf: order === 'longest' ? (job) => describeLength(job, locale) : undefined,
    places: (entries) => orderedPlaces(entries, order, clock.now()),
    lists: (lists) => orderLists(lists, order),
  };
}

/** Prompts for an order. Returns undefined if the user cancels. */
export async function askJobOrder(present: JobOrder): Promise<JobOrder | undefined> {
  const { l10n } = vscode;
  const choices = jobOrders.map((order): Choice<JobOrder> => ({ ...orderChoice(order), value: order }));
  const answer = await pickOne<JobOrder>({
    title: l10n.t('Sort Jobs'),
    placeholder: l10n.t('Select an order; no further jobs are loaded for it'),
    choices,
    active: choices.find(({ value }) => value === present),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

function orderChoice(order: JobOrder): vscode.QuickPickItem {
  const { l10n } = vscode;
  switch (order) {
    case 'newest':
      return { label: `$(arrow-down) ${l10n.t('Newest first')}`, description: l10n.t('as the service lists them') };
    case 'longest':
      return {
        label: `$(watch) ${l10n.t('Longest first')}`,
        description: l10n.t('processing time, or session length, of loaded jobs'),
      };
    case 'failed':
      return { label: `$(error) ${l10n.t('Failed first')}`, description: l10n.t('among loaded jobs') };
  }
}
