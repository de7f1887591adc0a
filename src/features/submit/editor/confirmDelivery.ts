import * as vscode from 'vscode';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';
import type { DeliveryPlan } from '../../deliver/common/delivery.ts';
import { confirmBatch, type BatchQuestion } from './confirmBatch.ts';
import type { PlannedBatch, PlannedRequest } from './planBatch.ts';
import type { Submissions } from './submissions.ts';

/** A confirmed batch. */
interface ConfirmedBatch {
  readonly requests: readonly PlannedRequest[];
  /** The files of its jobs that are wanted. */
  readonly plan: DeliveryPlan | undefined;
}

/** Confirms a batch, and which results are saved when its jobs are done. Undefined when the user cancels. */
export async function confirmWithDelivery(
  submissions: Submissions,
  service: SubmitTarget,
  planned: PlannedBatch,
  question: Omit<BatchQuestion, 'delivery'> = {},
): Promise<ConfirmedBatch | undefined> {
  const { actions } = submissions.services;
  for (let delivery = await actions.deliver.proposedDelivery(); ;) {
    const requests = await confirmBatch(submissions, service, planned, { ...question, delivery });
    if (requests === undefined) return undefined;
    if (requests !== 'chooseDelivery') return { requests, plan: delivery.plan };
    const [first, ...others] = planned.requests;
    const what = others.length === 0 ? (first?.label ?? '') : vscode.l10n.t('{0} jobs', planned.requests.length);
    delivery = (await actions.deliver.chooseDelivery(what)) ?? delivery;
  }
}
