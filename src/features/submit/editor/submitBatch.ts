import { posix } from 'node:path';
import * as vscode from 'vscode';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { runCommand } from '../../../platform/editor/runCommand.ts';
import { showMessage, UserError } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import type { Submissions } from './submissions.ts';
import {
  chooseAudioList,
  chooseColumns,
  forgetWaitingList,
  openList,
  openWaitingList,
  readListAgain,
  rememberedList,
  rememberList,
  rememberWaitingList,
  useColumnsAgain,
  type ChosenList,
  type OpenedList,
} from './chooseAudioList.ts';
import { chooseTemplate, createTemplate } from './chooseTemplate.ts';
import { confirmWithDelivery } from './confirmDelivery.ts';
import { planFiles, planList, type PlannedBatch, type PlannedRequest } from './planBatch.ts';
import { sendBatch } from './sendBatch.ts';
import { isPending, pendingCount, type Batch } from '../common/batch.ts';
import { loadJobs } from '../node/loadJobs.ts';
import { digest } from '../../../base/digest.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { findSuccessor } from '../common/resubmission.ts';
import { planConfirmedResends } from './planResubmission.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/** Only one batch is confirmed and sent at a time. */
export const batchName = 'batch';

/** Submits several request files one at a time, with one confirmation. @throws UserError or Failure */
export async function submitFiles(submissions: Submissions, uris: readonly vscode.Uri[]): Promise<void> {
  const service = submissions.target();
  const planned = await withCancel(checkingTitle(), (signal) => planFiles(submissions, uris, signal));
  await confirmAndSend(submissions, service, planned);
}

/**
 * Submits a template once for each URL of a list.
 * @param given the list; undefined uses the one that the template was created for, or lets the user select one.
 * @throws UserError or Failure
 */
export async function submitList(submissions: Submissions, template: vscode.Uri, given?: OpenedList): Promise<void> {
  const service = submissions.target();
  const opened = given ?? (await openWaitingList(submissions, template));
  if (opened !== undefined) {
    const answer = await chooseColumns(submissions, opened, given === undefined);
    if (answer.type === 'picked') await planAndSend(submissions, service, template, answer.value);
    if (answer.type !== 'back') return;
    forgetWaitingList(submissions, template);
  }
  const chosen = await chooseAudioList(submissions, template, (list) => chooseColumns(submissions, list, true));
  if (chosen !== undefined) await planAndSend(submissions, service, template, chosen);
}

/**
 * Submits the list in a file.
 * @param given the template; undefined lets the user select or create one
 * @throws UserError or Failure
 */
export async function submitListFile(submissions: Submissions, uri: vscode.Uri, given?: vscode.Uri): Promise<void> {
  const service = submissions.target();
  const opened = await openList(submissions, uri);
  for (let next = given; ; next = undefined) {
    const template = next ?? (await chooseTemplate(uri));
    if (template === undefined) return;
    if (template === 'new') return submitWithNew(submissions, uri);
    const chosen = await chooseColumns(submissions, opened, true);
    if (chosen.type === 'picked') return planAndSend(submissions, service, template, chosen.value);
    if (chosen.type === 'closed') return;
  }
}

/** Lets the user create a request file, and offers to continue when it is complete. */
async function submitWithNew(submissions: Submissions, list: vscode.Uri): Promise<void> {
  const { l10n } = vscode;
  const findTemplate = await createTemplate();
  const template = findTemplate?.();
  if (findTemplate === undefined || template === undefined) return;
  rememberWaitingList(submissions, template, list);
  const goOn = (): Promise<void> =>
    submissions.once(batchName, () => submitListFile(submissions, list, findTemplate()));
  const text = l10n.t('Complete this request. It is sent for each URL of "{0}".', posix.basename(list.path));
  // Not awaited: the user completes the request first. The line above the request offers the same when the message is hidden.
  void showMessage('information', text, [
    { title: l10n.t('Submit List…'), run: () => runCommand(submissions.services.log, goOn) },
  ]);
}

async function planAndSend(
  submissions: Submissions,
  service: SubmitTarget,
  template: vscode.Uri,
  chosen: ChosenList,
): Promise<void> {
  const planned = await withCancel(checkingTitle(), (signal, report) =>
    planList(submissions, template, chosen, signal, report),
  );
  await confirmAndSend(submissions, service, planned, chosen);
}

/** Confirms a planned batch once and sends it. @param list source of its audio. @throws UserError or Failure */
export async function confirmAndSend(
  submissions: Submissions,
  service: SubmitTarget,
  planned: PlannedBatch,
  list?: ChosenList,
): Promise<void> {
  const { connection } = service;
  if (planned.requests.length === 0) {
    throw new UserError([vscode.l10n.t('Nothing to send.'), ...planned.leftOut.slice(0, 3)].join(' '));
  }
  const answer = await confirmWithDelivery(submissions, service, planned);
  if (answer === undefined) return;
  const { requests: confirmed, plan: delivery } = answer;
  const requests = await withoutSentMeanwhile(submissions, connection, confirmed, planned.readAtMs);
  const sent = new Set(requests);
  const stored = await submissions.batches.create(connection, {
    connection: connection.name,
    origin: originOf(connection.baseUrl),
    total: requests.length,
    source: planned.source,
    skipped: planned.requests.filter((each) => !sent.has(each)).map(({ item }) => item),
    ...(planned.leftOutRows !== undefined && planned.leftOutRows.length > 0 && { leftOut: planned.leftOutRows }),
  });
  if (list !== undefined) rememberList(submissions, stored.id, list);
  if (planned.source.type === 'list') forgetWaitingList(submissions, vscode.Uri.parse(planned.source.template, true));
  await stored.ledger.begin();
  const goOn = (): unknown => runCommand(submissions.services.log, () => resumeBatch(submissions, service, stored.id));
  await sendBatch(submissions, service, { ...stored, requests, texts: planned.texts, goOn, delivery });
}

/** Omits requests that another window has repeated since the journal was read. @throws UserError when nothing is left */
async function withoutSentMeanwhile(
  submissions: Submissions,
  connection: Connection,
  requests: readonly PlannedRequest[],
  readAtMs: number | undefined,
): Promise<readonly PlannedRequest[]> {
  if (readAtMs === undefined) return requests;
  const { submissions: recent } = await submissions.journal.readSince(connection, readAtMs);
  const since = recent.filter(({ sentAtMs }) => sentAtMs >= readAtMs);
  const left = requests.filter(
    ({ request: { replaces } }) => replaces === undefined || findSuccessor(since, replaces) === undefined,
  );
  if (left.length > 0) return left;
  throw new UserError(vscode.l10n.t('Nothing was sent: another window just sent the same request.'));
}

/** Submits the rest of a batch. Requests are rebuilt from their source; those already sent are recognised by file or URL. */
export async function resumeBatch(submissions: Submissions, service: SubmitTarget, id: string): Promise<void> {
  if (submissions.batches.isSending(id)) throw new UserError(vscode.l10n.t('This batch is being sent.'));
  const kept = await submissions.batches.find(service.connection, id);
  const before = await submissions.batches.read(kept);
  if (before === undefined) throw new UserError(vscode.l10n.t('This batch is no longer stored.'));
  const planned = await plan(submissions, service, id, before);
  if (planned === undefined) return;
  const left = {
    ...planned,
    requests: planned.requests.filter(({ item }) => isPending(before, item)),
    leftOut: [...planned.leftOut, ...lossText(before)],
  };
  if (left.requests.length === 0) {
    throw new UserError([vscode.l10n.t('Nothing left to send.'), ...lossText(before)].join(' '));
  }
  const answer = await confirmWithDelivery(submissions, service, left, { isRest: true });
  if (answer === undefined) return;
  const { requests: confirmed, plan: delivery } = answer;
  // Another window may have continued the batch during the confirmation.
  await kept.ledger.begin();
  const now = await submissions.batches.read(kept);
  const requests = confirmed.filter(({ item }) => now !== undefined && isPending(now, item));
  const goOn = (): unknown => runCommand(submissions.services.log, () => resumeBatch(submissions, service, id));
  await sendBatch(submissions, service, { ...kept, requests, texts: planned.texts, goOn, delivery });
}

async function plan(
  submissions: Submissions,
  service: SubmitTarget,
  id: string,
  batch: Batch,
): Promise<PlannedBatch | undefined> {
  const { source } = batch.plan;
  if (source.type === 'resubmit') {
    const left = source.jobs.filter(({ job }) => isPending(batch, digest(job)));
    return planConfirmedResends(submissions, service, id, left, (ids) =>
      withCancel(checkingTitle(), (signal) => loadJobs(service.api.lists, ids, signal)),
    );
  }
  if (source.type === 'files') {
    const uris = source.files.map((file) => vscode.Uri.parse(file, true));
    return withCancel(checkingTitle(), (signal) => planFiles(submissions, uris, signal));
  }
  // Every URL would look as if it had not been sent.
  if (source.keyId !== undefined && source.keyId !== submissions.audio.keyId)
    throw new UserError(
      vscode.l10n.t(
        "This batch can't be continued. The key that identifies its URLs has changed, so it is unclear which ones were already sent. Check the batch, and submit a list of the URLs that are left.",
      ),
    );
  const template = vscode.Uri.parse(source.template, true);
  const chosen = await (source.list === undefined
    ? (rememberedList(submissions, id) ?? chooseSameList(submissions, template, batch))
    : readListAgain(submissions, vscode.Uri.parse(source.list, true)));
  if (chosen === undefined) return undefined;
  rememberList(submissions, id, chosen);
  const { titleKey, metadataKeys = [] } = source;
  return withCancel(checkingTitle(), (signal, report) =>
    planList(submissions, template, chosen, signal, report, { titleKey, metadataKeys }),
  );
}

function chooseSameList(submissions: Submissions, template: vscode.Uri, batch: Batch): Promise<ChosenList | undefined> {
  const { l10n } = vscode;
  return chooseAudioList(submissions, template, useColumnsAgain, {
    title: l10n.t('Continue Batch of {0} ({1} Left)', batch.plan.total, pendingCount(batch)),
    placeholder: l10n.t('Choose the same list again; URLs are not stored'),
  });
}

function checkingTitle(): string {
  return vscode.l10n.t('Checking the requests');
}

/** Returns the warnings for the user before continuing a batch whose ledger is damaged. */
function lossText({ damaged, isDoubtful }: Batch): readonly string[] {
  if (damaged === 0) return [];
  if (!isDoubtful)
    return [vscode.l10n.t('The record of this batch is damaged. What was sent is taken from the journal.')];
  return [
    vscode.l10n.t(
      'The record of this batch is damaged. Requests with an unknown outcome may have been sent and are left out.',
    ),
  ];
}
