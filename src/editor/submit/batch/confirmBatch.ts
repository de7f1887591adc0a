import * as vscode from 'vscode';
import { sameBodySent } from '../../../domain/submission/submission.ts';
import { digest, type Connection } from '../../../service/ports.ts';
import { askInModal } from '../../messages.ts';
import { serviceLabel, warningLines } from '../confirmSubmission.ts';
import type { Submissions } from '../submissions.ts';
import { countedWarnings, type PlannedBatch, type PlannedRequest } from './planBatch.ts';

/** Asks once for all requests of a batch. @returns those to be sent; undefined when the user leaves. */
export async function confirmBatch(
  submissions: Submissions,
  connection: Connection,
  { requests, leftOut }: PlannedBatch,
): Promise<readonly PlannedRequest[] | undefined> {
  const { l10n } = vscode;
  const journal = await submissions.readJournal(connection);
  const unsent = requests.filter(
    ({ request }) => sameBodySent(journal, digest(request.body), submissions.deps.clock.now()) === undefined,
  );
  const sent = requests.length - unsent.length;
  const warnings = countedWarnings(requests).map(([{ message }, count]) =>
    count === 1 ? message : `${message} (${count} ×)`,
  );
  const equal = requests.length - new Set(requests.map(({ request }) => request.body)).size;
  const all = warnings.length > 0 || sent > 0 || equal > 0 ? l10n.t('Submit Anyway') : l10n.t('Submit');
  const others = l10n.t('Submit the Other {0}', unsent.length);
  const lines = [
    l10n.t('Service: {0}', serviceLabel(connection)),
    l10n.t('Audio: {0}', hosts(requests)),
    l10n.t('First: {0}', requests[0]?.label ?? ''),
    ...section(warnings),
    ...(sent > 0 ? ['', l10n.t('Sent within the last day already: {0}', sent)] : []),
    ...(equal > 0 ? ['', l10n.t('With the same body as another of them: {0}', equal)] : []),
    ...(leftOut.length > 0 ? ['', l10n.t('Left out:'), ...warningLines(leftOut)] : []),
  ];
  const message =
    requests.length === 1
      ? l10n.t('Submit 1 request to {0}?', connection.name)
      : l10n.t('Submit {0} requests to {1}?', requests.length, connection.name);
  const buttons = [...(sent > 0 && unsent.length > 0 ? [others] : []), all];
  const pressed = await askInModal('warning', message, lines, buttons);
  switch (pressed) {
    case all:
      return requests;
    case others:
      return unsent;
    default:
      return undefined;
  }
}

function section(warnings: readonly string[]): readonly string[] {
  return warnings.length === 0 ? [] : ['', ...warningLines(warnings)];
}

/** The hosts of the audio, the commonest first. */
function hosts(requests: readonly PlannedRequest[]): string {
  const counts = new Map<string, number>();
  for (const { request } of requests) {
    const { audioUrl = '' } = request;
    const host = URL.canParse(audioUrl) ? new URL(audioUrl).host : vscode.l10n.t('none that can be read');
    counts.set(host, (counts.get(host) ?? 0) + 1);
  }
  const sorted = [...counts].toSorted(([, a], [, b]) => b - a).map(([host]) => host);
  const more = sorted.length - 3;
  return [...sorted.slice(0, 3), ...(more > 0 ? [vscode.l10n.t('and {0} more', more)] : [])].join(', ');
}
