import * as vscode from 'vscode';
import { audioLabel, withAudioUrl } from '../../../domain/submission/bodyEdits.ts';
import { digest } from '../../../service/ports.ts';
import { readRequest } from '../requestText.ts';
import { passed, warningsOf } from '../passed.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import type { ChosenList } from './chooseAudioList.ts';
import type { PlannedBatch, PlannedRequest } from './plannedBatch.ts';

/** After so many requests the window gets its turn. */
const requestsPerTurn = 50;
/** Rows that a sentence names; more of them nobody reads. */
const mostRows = 10;

/**
 * Makes a batch of a template and a list of audio URLs: the template's text with another `audio_url` for each.
 * @throws UserError when the template cannot be sent as it is.
 */
export async function planList(
  room: SubmitRoom,
  template: vscode.Uri,
  { list, uri }: ChosenList,
  signal: AbortSignal,
  report: (message: string) => void,
): Promise<PlannedBatch> {
  const text = await readRequest(template);
  const { body } = passed(room, text);
  const file = template.toString();
  const requests: PlannedRequest[] = [];
  const leftOut = [
    ...inRows(list.unusable, (rows) => vscode.l10n.t('No web address in row {0}', rows)),
    ...inRows(list.repeated, (rows) => vscode.l10n.t('The same again in row {0}', rows)),
  ];
  for (const [index, { row, url }] of list.audio.entries()) {
    if (signal.aborted) throw new vscode.CancellationError();
    if (index % requestsPerTurn === 0) {
      report(vscode.l10n.t('{0} of {1}', index, list.audio.length));
      await new Promise((resolve) => setImmediate(resolve));
    }
    const gate = room.gate(withAudioUrl(body, url) ?? body);
    if (gate.type === 'blocked') {
      leftOut.push(vscode.l10n.t('Row {0}: {1}', row, gate.findings[0]?.message ?? ''));
      continue;
    }
    const request = { file, body: gate.body, audioUrl: url };
    requests.push({ item: digest(url), label: audioLabel(url), request, warnings: warningsOf(gate) });
  }
  const source = { type: 'list', template: file, list: uri?.toString() } as const;
  return { source, requests, leftOut, texts: new Map() };
}

/** The first few row numbers in a sentence. */
function inRows(numbers: readonly number[], sentence: (rows: string) => string): readonly string[] {
  if (numbers.length === 0) return [];
  const more = numbers.length - mostRows;
  const rows = [...numbers.slice(0, mostRows), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])];
  return [sentence(rows.join(', '))];
}
