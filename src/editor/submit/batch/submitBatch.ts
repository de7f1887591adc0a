import * as vscode from 'vscode';
import { originOf } from '../../../domain/connection/connectionInput.ts';
import { runCommand } from '../../runCommand.ts';
import { UserError } from '../../messages.ts';
import { withCancel } from '../../progress.ts';
import type { SubmitTarget, Submissions } from '../submissions.ts';
import { chooseAudioList, readAudioList } from './chooseAudioList.ts';
import { confirmBatch } from './confirmBatch.ts';
import { planFiles, planList, type PlannedBatch } from './planBatch.ts';
import { sendBatch } from './sendBatch.ts';
import { isPending, type Batch, type BatchSource } from '../../../domain/submission/batch.ts';

/** Submits several request files one at a time, with one confirmation. @throws UserError or Failure */
export async function submitFiles(submissions: Submissions, uris: readonly vscode.Uri[]): Promise<void> {
  const service = submissions.deps.service();
  const planned = await withCancel(checkingTitle(), (signal) => planFiles(submissions, uris, signal));
  await begin(submissions, service, planned);
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitList(submissions: Submissions, template: vscode.Uri): Promise<void> {
  const service = submissions.deps.service();
  const chosen = await chooseAudioList(template);
  if (chosen === undefined) return;
  const planned = await withCancel(checkingTitle(), (signal, report) =>
    planList(submissions, template, chosen, signal, report),
  );
  await begin(submissions, service, planned);
}

async function begin(submissions: Submissions, service: SubmitTarget, planned: PlannedBatch): Promise<void> {
  const { connection } = service;
  if (planned.requests.length === 0) {
    throw new UserError([vscode.l10n.t('There is nothing to send.'), ...planned.leftOut.slice(0, 3)].join(' '));
  }
  const requests = await confirmBatch(submissions, connection, planned);
  if (requests === undefined) return;
  const sent = new Set(requests);
  const stored = await submissions.batches.create(connection, {
    connection: connection.name,
    origin: originOf(connection.baseUrl),
    total: requests.length,
    source: planned.source,
    skipped: planned.requests.filter((each) => !sent.has(each)).map(({ item }) => item),
  });
  await stored.ledger.begin();
  const goOn = (): unknown => runCommand(submissions.deps.log, () => goOnWithBatch(submissions, service, stored.id));
  await sendBatch(submissions, service, { ...stored, requests, texts: planned.texts, goOn });
}

/** Submits the rest of a batch. Requests are rebuilt from their source; those already sent are recognised by file or URL. */
export async function goOnWithBatch(submissions: Submissions, service: SubmitTarget, id: string): Promise<void> {
  if (submissions.batches.isSending(id)) throw new UserError(vscode.l10n.t('This batch is being sent.'));
  const kept = await submissions.batches.find(service.connection, id);
  const before = await submissions.batches.read(kept);
  if (before === undefined) throw new UserError(vscode.l10n.t('This batch is not kept any more.'));
  const planned = await plan(submissions, before.plan.source);
  if (planned === undefined) return;
  const left = {
    ...planned,
    requests: planned.requests.filter(({ item }) => isPending(before, item)),
    leftOut: [...planned.leftOut, ...lossText(before)],
  };
  if (left.requests.length === 0) {
    throw new UserError([vscode.l10n.t('There is nothing left to send.'), ...lossText(before)].join(' '));
  }
  const confirmed = await confirmBatch(submissions, service.connection, left);
  if (confirmed === undefined) return;
  // Another window may have continued the batch during the confirmation.
  await kept.ledger.begin();
  const now = await submissions.batches.read(kept);
  const requests = confirmed.filter(({ item }) => now !== undefined && isPending(now, item));
  const goOn = (): unknown => runCommand(submissions.deps.log, () => goOnWithBatch(submissions, service, id));
  await sendBatch(submissions, service, { ...kept, requests, texts: planned.texts, goOn });
}

async function plan(submissions: Submissions, source: BatchSource): Promise<PlannedBatch | undefined> {
  if (source.type === 'files') {
    const uris = source.files.map((file) => vscode.Uri.parse(file, true));
    return withCancel(checkingTitle(), (signal) => planFiles(submissions, uris, signal));
  }
  const template = vscode.Uri.parse(source.template, true);
  const chosen = await (source.list === undefined
    ? chooseAudioList(template)
    : readAudioList(vscode.Uri.parse(source.list, true)));
  if (chosen === undefined) return undefined;
  return withCancel(checkingTitle(), (signal, report) =>
    planList(submissions, template, chosen, signal, report, source.isKeyed === true),
  );
}

function checkingTitle(): string {
  return vscode.l10n.t('Checking the requests');
}

/** What the user must know before continuing a batch whose ledger is damaged. */
function lossText({ damaged, isDoubtful }: Batch): readonly string[] {
  if (damaged === 0) return [];
  if (!isDoubtful) return [vscode.l10n.t('The record of this batch is damaged. The journal was asked what was sent.')];
  return [
    vscode.l10n.t(
      'The record of this batch is damaged. Requests of which nothing is known may have been sent, and are left out.',
    ),
  ];
}
