import * as vscode from 'vscode';
import { minuteMs } from '../../../base/time.ts';
import type { Finding } from '../../../language/requestLanguage.ts';
import { Buffer } from 'node:buffer';
import { WorkSlices } from '../../../base/clock.ts';
import { fateIn, fateLabel } from '../common/batchCounts.ts';
import { factLines, factSheet, fitsDialog, shortFactLines, type FactRequest } from '../common/factSheet.ts';
import type { DeliveryProposal } from '../../deliver/common/delivery.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { changeInParts } from '../../../platform/formatItem.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { sampleName } from '../../../connections/common/connectionInput.ts';
import { formatDistance } from '../../../base/format.ts';
import { harmlessJson, oneLine } from '../../../base/outsideText.ts';
import { askInModal } from '../../../platform/editor/messages.ts';
import { locale } from '../../../platform/editor/locale.ts';

/** Content of the question before a request is sent. */
export interface SubmissionPrompt {
  readonly name: string;
  readonly connection: Connection;
  /** From {@link presentFacts}. */
  readonly facts: readonly string[];
  /** Findings above advice level. */
  readonly warnings: readonly Finding[];
  /** An earlier submission of the same body that may have created a job. */
  readonly same: Submission | undefined;
  /** Title of the alternative to submitting the same body again. */
  readonly instead: string | undefined;
  /** The same file was submitted before with other content. */
  readonly hasChanged: boolean;
  /** Id of the failed job that it repeats. */
  readonly retried: string | undefined;
  /** Results that are saved when the job is done. */
  readonly delivery: DeliveryProposal;
  readonly nowMs: number;
}

export type SubmissionAnswer = 'submit' | 'chooseDelivery' | 'showProblems' | 'instead' | 'cancel';

/**
 * Confirms a request in a modal dialog. Enter presses the first button: for a repetition, or a request with warnings, it sends nothing.
 */
export async function confirmSubmission(question: SubmissionPrompt): Promise<SubmissionAnswer> {
  const { l10n } = vscode;
  const { name, connection, warnings, same, instead, delivery, nowMs } = question;
  const isWarned = warnings.length > 0 || same !== undefined;
  const submit = same ? l10n.t('Submit Again') : isWarned ? l10n.t('Submit Anyway') : l10n.t('Submit');
  const show: readonly (readonly [string, SubmissionAnswer])[] =
    warnings.length > 0 ? [[l10n.t('Show Problems'), 'showProblems']] : [];
  const answers = new Map<string, SubmissionAnswer>([
    ...(instead === undefined ? [] : ([[instead, 'instead']] as const)),
    ...show,
    [submit, 'submit'],
    ...(delivery.canChange ? ([[deliveryButton(delivery), 'chooseDelivery']] as const) : []),
  ]);
  const message = same ? repeatedText(name, same, nowMs) : l10n.t('Submit "{0}" to {1}?', name, connection.name);
  const severity = isWarned ? 'warning' : 'information';
  const pressed = await askInModal(severity, message, linesOf(question), [...answers.keys()]);
  return answers.get(pressed ?? '') ?? 'cancel';
}

/** A submission younger than this is shown as "just" submitted: a relative time would read "now". */
const justNowMs = minuteMs;

/** Returns the question whether to submit the same body again. */
export function repeatedText(name: string, { sentAtMs }: Submission, nowMs: number): string {
  const { l10n } = vscode;
  return nowMs - sentAtMs < justNowMs
    ? l10n.t('"{0}" was just submitted. Submit it again?', name)
    : l10n.t('"{0}" was already submitted {1}. Submit it again?', name, formatDistance(sentAtMs, nowMs, locale));
}

function linesOf({
  connection,
  facts,
  warnings,
  same,
  hasChanged,
  retried,
  delivery,
  nowMs,
}: SubmissionPrompt): readonly string[] {
  const { l10n } = vscode;
  const remarks = [
    ...(hasChanged ? [l10n.t('The request has changed since it was submitted.')] : []),
    ...(same === undefined ? [] : [sameBodyText(same, nowMs)]),
    ...warningLines(warnings.map(({ message }) => message)),
  ];
  return [
    ...(remarks.length === 0 ? [] : [...remarks, '']),
    // The question about a repetition has no room for the connection.
    ...(same === undefined ? [] : [l10n.t('Connection: {0}', connection.name)]),
    ...facts,
    ...(retried === undefined ? [] : [retriedText(retried)]),
    ...deliveryLines(delivery),
  ];
}

function retriedText(job: string): string {
  return vscode.l10n.t('Retries job {0}, which counts as handled when the new job is done.', shortenId(job));
}

/** Describes the results that are saved when jobs are done, if any. */
export function deliveryLines({ text }: DeliveryProposal): readonly string[] {
  return text === undefined ? [] : [vscode.l10n.t('Saved when done: {0}', text)];
}

/** Returns the button to choose which results are saved when jobs are done. */
export function deliveryButton({ text }: DeliveryProposal): string {
  return text === undefined ? vscode.l10n.t('Save Results When Done…') : vscode.l10n.t('Change What Is Saved…');
}

/**
 * Presents the facts about the request as lines of the question. Facts that do not fit the dialog are first opened in an editor, and the
 * lines say so.
 * @param isAgain the same body was submitted before.
 */
export async function presentFacts(
  connection: Connection,
  requests: readonly FactRequest[],
  isAgain = false,
): Promise<readonly string[]> {
  const { baseUrl, apiKeyHeader } = connection;
  const computed = await new WorkSlices().run(
    factSheet(requests, { baseUrl, apiKeyHeader, byteLength: (text) => Buffer.byteLength(text) }),
  );
  const isSample = connection.name === sampleName;
  const service = isSample ? serviceLabel(connection) : computed.service;
  const facts = { ...computed, service, isAgain, isSample };
  const lines = factLines(facts);
  if (fitsDialog(lines)) return lines;
  const bodies = requests.length === 1 ? ['', await changeInParts(requests[0]?.body ?? '', harmlessJson)] : [];
  const document = await vscode.workspace.openTextDocument({
    language: 'plaintext',
    content: [...lines.map((line) => oneLine(line, maxLineLength)), ...bodies].join('\n'),
  });
  await vscode.window.showTextDocument(document, { preview: false });
  return shortFactLines(facts);
}

/** In characters, for facts that do not fit a dialog: longer than any address that a service could call. */
const maxLineLength = 10_000;

/** Max number of warnings shown in a question. */
const maxWarnings = 8;

/** Returns the destination of a connection's requests, for display. */
function serviceLabel({ name, baseUrl }: Connection): string {
  return name === sampleName ? vscode.l10n.t('the built-in sample service') : new URL(baseUrl).host;
}

/** Returns the first few warnings as lines. */
export function warningLines(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - maxWarnings;
  return [
    ...warnings.slice(0, maxWarnings).map((warning) => `• ${warning}`),
    ...(more > 0 ? [vscode.l10n.t('… and {0} more', more)] : []),
  ];
}

/** Returns the time of a submission relative to the present. */
export function formatSent(sentAtMs: number, nowMs: number): string {
  return nowMs - sentAtMs < justNowMs ? vscode.l10n.t('just now') : formatDistance(sentAtMs, nowMs, locale);
}

/** Describes the outcome of an earlier submission of the same body. */
export function sameBodyText({ sentAtMs, outcome }: Submission, nowMs: number): string {
  const { l10n } = vscode;
  const when = formatSent(sentAtMs, nowMs);
  switch (outcome.type) {
    case 'accepted':
      if (outcome.id === undefined) return l10n.t('You already submitted this request {0}; it was accepted.', when);
      return fateIn(outcome) === undefined
        ? l10n.t('You already submitted this request {0} (job {1}).', when, outcome.id)
        : l10n.t('You already submitted this request {0} (job {1}: {2}).', when, outcome.id, fateLabel(outcome));
    case 'unknown':
      return l10n.t('You already submitted this request {0}, and it may have become a job. Find it first.', when);
    case 'sending':
    case 'rejected':
    case 'notSent':
      return l10n.t('You already submitted this request {0}.', when);
  }
}
