import * as vscode from 'vscode';
import { sampleName } from '../../domain/connection/connectionInput.ts';
import { distanceText } from '../../domain/format.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import type { Connection } from '../../service/ports.ts';
import { locale } from '../locale.ts';

/** More of them nobody reads in a question. */
const mostWarnings = 8;

/** Where requests of a connection go, for people. */
export function serviceLabel({ name, baseUrl }: Connection): string {
  return name === sampleName ? vscode.l10n.t('the sample service inside the extension') : new URL(baseUrl).host;
}

/** The findings in lines, the first few. */
export function warningLines(warnings: readonly string[]): readonly string[] {
  const more = warnings.length - mostWarnings;
  return [
    ...warnings.slice(0, mostWarnings).map((warning) => `• ${warning}`),
    ...(more > 0 ? [vscode.l10n.t('… and {0} more', more)] : []),
  ];
}

/** What became of an earlier submission of the same body. */
export function sameBodyText({ sentAtMs, outcome }: Submission, nowMs: number): string {
  const { l10n } = vscode;
  const when = distanceText(sentAtMs, nowMs, locale);
  switch (outcome.type) {
    case 'accepted':
      return outcome.id === undefined
        ? l10n.t('The same body was sent {0} and accepted.', when)
        : l10n.t('The same body was sent {0} and became job {1}.', when, outcome.id);
    case 'unknown':
      return l10n.t('The same body was sent {0}, and it is not known whether there is a job. Look for it first.', when);
    case 'sending':
    case 'rejected':
    case 'notSent':
      return l10n.t('The same body was sent {0}.', when);
  }
}
