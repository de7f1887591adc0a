import * as vscode from 'vscode';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import { isResubmittable } from '../../../jobs/common/runAgain.ts';
import { commonReason, type Resend } from '../common/resubmission.ts';
import { UserError, type NextStep } from '../../../platform/editor/messages.ts';
import { pickSeveral, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import { openRequest } from '../../../language/editor/requestDocuments.ts';
import { runCommand } from '../../../platform/editor/runCommand.ts';
import type { TreeNode } from '../../tree/common/jobTree.ts';
import type { Submissions } from './submissions.ts';
import { askForResendList, planResends, ResendReader } from './planResubmission.ts';
import { confirmAndSend } from './submitBatch.ts';
import type { SubmitTarget } from '../../../jobs/node/activeService.ts';

/**
 * Sends the requests of failed jobs again: shows for each job what would be sent, lets the user select, and sends the selected requests as
 * a batch after one confirmation (contract 4.4). Jobs that failed in part count as failed. Other jobs are left out.
 * @param rows the chosen rows, if the jobs are from the jobs view
 * @throws UserError or Failure
 */
export async function resubmitFailed(
  submissions: Submissions,
  given: readonly Job[],
  rows: readonly TreeNode[] = [],
): Promise<void> {
  const failed = [...new Map(given.filter(isResubmittable).map((job) => [job.id, job])).values()];
  if (failed.length === 0) throw new UserError(vscode.l10n.t('Select failed jobs to resubmit them.'));
  const service = submissions.target();
  const labels = submissions.services.settings.get('errorLabels');
  const reader = new ResendReader(submissions, service, (template) => askForResendList(submissions, template));
  const resends = await reader.read(failed, (code) => labels.get(String(code)));
  explainNone(submissions, service, resends, given, rows);
  const chosen = await chooseResends(submissions, service, resends);
  if (chosen === undefined) return;
  await confirmAndSend(submissions, service, await planResends(reader, chosen));
}

/** @throws UserError if none can be sent, all for the same reason: a list would repeat the reason for each job */
function explainNone(
  submissions: Submissions,
  service: SubmitTarget,
  resends: readonly Resend[],
  given: readonly Job[],
  rows: readonly TreeNode[],
): void {
  const { l10n } = vscode;
  const reason = commonReason(resends);
  if (reason === undefined) return;
  const files = resends.flatMap(({ file, source }) => (file === undefined || source === 'fileGone' ? [] : [file]));
  const [file] = files;
  const open = {
    title: l10n.t('Open Request'),
    run: () => (file === undefined ? undefined : openRequest(vscode.Uri.parse(file, true))),
  };
  const { log, actions } = submissions.services;
  const unsettled = resends[0]?.unsettled;
  const report: NextStep = {
    title: l10n.t('Copy Report for Support'),
    run: () => runCommand(log, () => actions.attention.copyReport(failures, rows)),
  };
  const jobs = [...new Map(given.map((job) => [jobKey(job), job])).values()];
  // A live session can't be resubmitted, but is part of the report.
  const failures = jobs.filter(({ status }) => status === 'error');
  const next =
    unsettled === undefined
      ? failures.slice(0, 1).map(() => report)
      : [{ title: l10n.t('Find Job'), run: () => runCommand(log, () => submissions.findJob(service, unsettled)) }];
  const count = resends.length;
  const live = jobs.filter(({ kind }) => kind === 'live').length;
  const sentence =
    live > 0
      ? l10n.t(
          "None of these {0} jobs can be resubmitted. Live sessions, which can't be sent again: {1}. Pre-recorded jobs: {2}. {3}",
          count + live,
          live,
          count,
          reason,
        )
      : count === 1
        ? l10n.t("This job can't be resubmitted. {0}", reason)
        : l10n.t('None of these {0} jobs can be resubmitted. {1}', count, reason);
  throw new UserError(sentence, file !== undefined && new Set(files).size === 1 ? [open] : next);
}

/**
 * Lets the user select the jobs. A single one without objections or remarks needs no list: the confirmation describes it. Undefined when the
 * user cancels, opens a file, or searches for a job instead.
 */
async function chooseResends(
  submissions: Submissions,
  service: SubmitTarget,
  resends: readonly Resend[],
): Promise<readonly Resend[] | undefined> {
  const { l10n } = vscode;
  const [only] = resends;
  if (resends.length === 1 && only?.isProposed === true && only.remarks.length === 0) return resends;
  const choices = resends.map((resend) => resendChoice(resend, submissions.services.facts.titleOf(resend.job)));
  const isOfSameList = resends.some(({ isOfList, source }) => isOfList && source === 'same');
  const sendable = resends.filter(({ request }) => request !== undefined).length;
  const answer = await pickSeveral({
    title: l10n.t('Resubmit Failed Jobs'),
    placeholder:
      sendable === 0
        ? l10n.t('None of these jobs can be resubmitted from here')
        : isOfSameList
          ? l10n.t('Same rows as before. To change one, use Retry with Other Settings')
          : l10n.t('Select what to resubmit'),
    choices,
    selected: choices.filter(({ value }) => value?.isProposed === true),
    canGoBack: false,
  });
  if (answer.type === 'button') {
    const { file, unsettled } = answer.value[0] ?? {};
    if (unsettled !== undefined) await submissions.findJob(service, unsettled);
    else if (file !== undefined) await openRequest(vscode.Uri.parse(file, true));
    return undefined;
  }
  return answer.type === 'picked' && answer.value.length > 0 ? answer.value : undefined;
}

function resendChoice(resend: Resend, title: string): Choice<Resend> {
  const { job, file, request, remarks, source, unsettled } = resend;
  // A job without another name already has this name in its row.
  const name = resend.name === undefined || resend.name === title ? [] : [resend.name];
  const code = job.errorCode === undefined ? [] : [vscode.l10n.t('error {0}', job.errorCode)];
  const isThere = file !== undefined && source !== 'fileGone';
  const open = { iconPath: new vscode.ThemeIcon('go-to-file'), tooltip: vscode.l10n.t('Open Request') };
  const find = { iconPath: new vscode.ThemeIcon('search'), tooltip: vscode.l10n.t('Find Job') };
  return {
    value: resend,
    label: plainLabel(title),
    iconPath: sourceIcon(resend),
    description: plainLabel([sourceWord(resend), ...name, ...code].join(' · ')),
    ...(remarks.length > 0 && { detail: plainLabel(remarks.join(' ')) }),
    ...(isThere && { buttons: [open] }),
    ...(unsettled !== undefined && { buttons: [find] }),
    ...(request === undefined && { isLocked: true }),
  };
}

function sourceWord({ source }: Resend): string {
  const { l10n } = vscode;
  switch (source) {
    case 'same':
      return l10n.t('same as sent');
    case 'changed':
      return l10n.t('changed since');
    case 'fileGone':
      return l10n.t('file gone');
    case 'notInList':
      return l10n.t('not in the list');
    case 'noList':
      return l10n.t('no list selected');
    case 'echo':
      return l10n.t("from the service's copy");
    case 'notOurs':
      return l10n.t('not known to be from here');
    case 'maybeOurs':
      return l10n.t('may be from here');
  }
}

function sourceIcon({ source }: Resend): vscode.ThemeIcon {
  switch (source) {
    case 'same':
      return new vscode.ThemeIcon('pass');
    case 'changed':
      return new vscode.ThemeIcon('edit');
    case 'echo':
      return new vscode.ThemeIcon('reply');
    case 'maybeOurs':
      return new vscode.ThemeIcon('question');
    case 'fileGone':
    case 'noList':
    case 'notInList':
    case 'notOurs':
      return new vscode.ThemeIcon('circle-slash');
  }
}
