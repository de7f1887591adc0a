import * as vscode from 'vscode';
import { digest } from '../../../base/digest.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readRequest, type RequestText } from '../../../language/editor/requestDocuments.ts';
import { blockingText, outgoingRequest, warningsOf, requireSendable } from './sendableRequest.ts';
import type { Submissions } from './submissions.ts';
import { audioLabel, listedBody, type ListMetadata } from '../common/bodyEdits.ts';
import type { ChosenList } from './chooseAudioList.ts';
import type { Finding } from '../../../language/request/finding.ts';
import { listNumbers } from '../common/audioList.ts';
import { maxLeftOut, type BatchSource, type LeftOutRow } from '../common/batch.ts';
import type { BatchRequest } from '../node/runBatch.ts';

/** Plans a batch from request files. Files that cannot be read or sent are omitted and reported. */
export async function planFiles(
  submissions: Submissions,
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
): Promise<PlannedBatch> {
  const requests: PlannedRequest[] = [];
  const leftOut: string[] = [];
  const texts = new Map<string, RequestText>();
  for (const uri of uris) {
    if (signal.aborted) throw new vscode.CancellationError();
    const file = uri.toString();
    try {
      const text = await readRequest(uri);
      const gate = submissions.gate(text.text);
      if (gate.type === 'blocked') {
        leftOut.push(`${text.name}: ${blockingText(text.text, gate)}`);
        continue;
      }
      texts.set(file, text);
      const request = outgoingRequest(file, gate);
      requests.push({ item: digest(file), label: text.name, request, warnings: warningsOf(gate) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      leftOut.push(error.message);
    }
  }
  const source = { type: 'files', files: uris.map((uri) => uri.toString()) } as const;
  return { source, requests, leftOut, texts };
}

/** Number of requests after which the loop yields to the event loop. */
const requestsPerTurn = 50;

/**
 * Plans a batch from a template and a list of audio URLs: the template's text with another `audio_url` for each.
 * @throws UserError when the template cannot be sent in its present form.
 */
export async function planList(
  submissions: Submissions,
  template: vscode.Uri,
  { list, uri }: ChosenList,
  signal: AbortSignal,
  report: (message: string) => void,
  { titleKey, metadataKeys = list.metadataKeys }: ListMetadata = {},
): Promise<PlannedBatch> {
  const text = await readRequest(template);
  const { body } = requireSendable(submissions.gate(text.text), text);
  const file = template.toString();
  const requests: PlannedRequest[] = [];
  const leftOut = [
    ...inRows(list.unusable, (rows) => vscode.l10n.t('Row {0}: no URL', rows)),
    ...inRows(list.spaced, (rows) => vscode.l10n.t('Row {0}: the URL has a space in it; write it as {1}', rows, '%20')),
    ...inRows(list.repeated, (rows) => vscode.l10n.t('Row {0}: duplicate', rows)),
  ];
  const rows: LeftOutRow[] = [
    ...list.unusable.map((row) => ({ row, reason: vscode.l10n.t('no URL') })),
    ...list.spaced.map((row) => ({ row, reason: vscode.l10n.t('space in the URL') })),
    ...list.repeated.map((row) => ({ row, reason: vscode.l10n.t('duplicate') })),
  ];
  for (const [index, listed] of list.audio.entries()) {
    const { row, url } = listed;
    if (signal.aborted) throw new vscode.CancellationError();
    if (index % requestsPerTurn === 0) {
      report(vscode.l10n.t('{0} of {1}', index, list.audio.length));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const written = listedBody(body, listed, { titleKey, metadataKeys });
    if (written === undefined) {
      leftOut.push(vscode.l10n.t("Row {0}: the template's {1} is not an object", row, 'custom_metadata'));
      rows.push({ row, reason: vscode.l10n.t("the template's {0} is not an object", 'custom_metadata') });
      continue;
    }
    const gate = submissions.gate(written);
    if (gate.type === 'blocked') {
      const reason = gate.findings[0]?.message ?? '';
      leftOut.push(vscode.l10n.t('Row {0}: {1}', row, reason));
      rows.push({ row, reason });
      continue;
    }
    const item = submissions.audio.of(url);
    const label = audioLabel(url);
    const request = { file, body: gate.body, audioUrl: url, label };
    requests.push({ item, label, request, warnings: warningsOf(gate) });
  }
  const source = { type: 'list', template: file, list: uri?.toString(), titleKey, metadataKeys } as const;
  const leftOutRows = rows.toSorted((a, b) => a.row - b.row).slice(0, maxLeftOut);
  return { source, requests, leftOut, leftOutRows, texts: new Map() };
}

/** Formats a sentence with the first few row numbers. */
function inRows(numbers: readonly number[], sentence: (rows: string) => string): readonly string[] {
  return numbers.length === 0 ? [] : [sentence(listNumbers(numbers))];
}

/** A request that passed the gate, with its warnings. */
export interface PlannedRequest extends BatchRequest {
  readonly warnings: readonly Finding[];
}

/** The planned requests of a source. */
export interface PlannedBatch {
  readonly source: BatchSource;
  readonly requests: readonly PlannedRequest[];
  /** Requests that cannot be sent, as sentences for the user. */
  readonly leftOut: readonly string[];
  /** The rows of a list among these, in list order. */
  readonly leftOutRows?: readonly LeftOutRow[];
  /** The files' texts by URI; empty for a list. */
  readonly texts: ReadonlyMap<string, RequestText>;
  /** Time when the journal was read for a resubmission: requests repeated since then are not sent again. */
  readonly readAtMs?: number;
}

/** Groups the warnings of many requests by code, with the requests that have each, most frequent first. */
export function warningsByCode(
  requests: readonly PlannedRequest[],
): readonly (readonly [Finding, readonly string[]])[] {
  const found = new Map<string, readonly [Finding, string[]]>();
  for (const { label, warnings } of requests) {
    for (const warning of new Map(warnings.map((each) => [each.code, each])).values()) {
      const known = found.get(warning.code);
      if (known === undefined) found.set(warning.code, [warning, [label]]);
      else known[1].push(label);
    }
  }
  return [...found.values()].toSorted(([, a], [, b]) => b.length - a.length);
}
