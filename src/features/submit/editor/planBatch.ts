import * as vscode from 'vscode';
import { digest } from '../../../base/digest.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readRequest, type RequestText } from '../../../language/editor/requestDocuments.ts';
import { blockingText, outgoingRequest, warningsOf, requireSendable } from './sendableRequest.ts';
import type { Submissions } from './submissions.ts';
import { audioLabel, listedBody, readTemplate, type ListMetadata } from '../common/bodyEdits.ts';
import type { ChosenList } from './chooseAudioList.ts';
import type { Finding } from '../../../language/requestLanguage.ts';
import { listNumbers, type UnusableRow } from '../common/audioList.ts';
import { WorkSlices } from '../../../base/clock.ts';
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

/** Number of requests after which progress is reported. */
const requestsPerReport = 50;

/**
 * Plans a batch from a template and a list of audio URLs: the template's text with another `audio_url` for each.
 * @param metadata that the requests get; by default as selected with the list.
 * @throws UserError when the template cannot be sent in its present form.
 */
export async function planList(
  submissions: Submissions,
  template: vscode.Uri,
  { list, uri, metadata: chosen, unused }: ChosenList,
  signal: AbortSignal,
  report: (message: string) => void,
  { titleKey, metadataKeys = [] }: ListMetadata = chosen,
): Promise<PlannedBatch> {
  const text = await readRequest(template);
  const { body } = requireSendable(submissions.gate(text.text), text);
  const parsed = readTemplate(body);
  const file = template.toString();
  const requests: PlannedRequest[] = [];
  const rows: LeftOutRow[] = list.unusable.map(({ row, reason }) => ({ row, reason: unusableText(reason) }));
  const slices = new WorkSlices();
  for (const [index, listed] of list.audio.entries()) {
    const { row, url } = listed;
    if (signal.aborted) throw new vscode.CancellationError();
    if (index % requestsPerReport === 0) report(vscode.l10n.t('{0} of {1}', index, list.audio.length));
    await slices.rest();
    const written = listedBody(parsed, listed, { titleKey, metadataKeys });
    if (written === undefined) {
      rows.push({ row, reason: vscode.l10n.t("the template's {0} is not an object", 'custom_metadata') });
      continue;
    }
    const gate = submissions.gate(written);
    if (gate.type === 'blocked') {
      rows.push({ row, reason: gate.findings[0]?.message ?? '' });
      continue;
    }
    const item = submissions.audio.of(url);
    const label = audioLabel(url);
    const request = { file, body: gate.body, audioUrl: url, label };
    requests.push({ item, label, request, warnings: warningsOf(gate) });
  }
  return {
    source: {
      type: 'list',
      template: file,
      keyId: submissions.audio.keyId,
      list: uri?.toString(),
      titleKey,
      metadataKeys,
    },
    requests,
    leftOut: describeRows(rows),
    leftOutRows: rows.toSorted((a, b) => a.row - b.row).slice(0, maxLeftOut),
    texts: new Map(),
    list: {
      rows: list.audio.length + list.unusable.length,
      leftOut: rows.length,
      isHeaded: list.headings !== undefined,
      unused,
    },
  };
}

function unusableText(reason: UnusableRow): string {
  switch (reason) {
    case 'noUrl':
      return vscode.l10n.t('no URL');
    case 'space':
      return vscode.l10n.t('the URL has a space in it; write it as {0}', '%20');
    case 'hidden':
      return vscode.l10n.t('the URL has an invisible character in it');
    case 'more':
      return vscode.l10n.t('the cell has more than one URL, or a quotation mark');
    case 'duplicate':
      return vscode.l10n.t('duplicate');
  }
}

/** Formats the rows with each reason as a sentence, in the order of the first of them. */
function describeRows(rows: readonly LeftOutRow[]): readonly string[] {
  const byReason = new Map<string, number[]>();
  for (const { row, reason } of rows) {
    const those = byReason.get(reason) ?? [];
    those.push(row);
    byReason.set(reason, those);
  }
  return [...byReason].map(([reason, those]) => vscode.l10n.t('Row {0}: {1}', listNumbers(those), reason));
}

/** A request that passed the gate, with its warnings. */
export interface PlannedRequest extends BatchRequest {
  readonly warnings: readonly Finding[];
}

/** What became of the rows and columns of a list. */
export interface ListFacts {
  /** Number of rows, without blank ones and the headings: each is a request or left out. */
  readonly rows: number;
  readonly leftOut: number;
  readonly isHeaded: boolean;
  /** Columns that are not used. */
  readonly unused: readonly string[];
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
  /** The list that the requests are made from. */
  readonly list?: ListFacts;
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
