import * as vscode from 'vscode';
import { failureText } from '../../domain/failureText.ts';
import { formatHours } from '../../domain/format.ts';
import type { RowFacts } from '../../domain/jobs/jobRow.ts';
import { isStale } from '../../domain/jobs/jobTree.ts';
import type { ListState } from '../../service/store/listState.ts';

/** What the row of a list that could not be read, or read again, says beside its action; undefined for a list that is well. */
export function describeListFailure(
  list: ListState,
  { times, locale }: Pick<RowFacts, 'times' | 'locale'>,
):
  | {
      readonly icon: string;
      readonly description: string;
      readonly rest: Pick<vscode.TreeItem, 'tooltip' | 'accessibilityInformation' | 'contextValue'>;
    }
  | undefined {
  if (list.failure === undefined) return undefined;
  const { l10n } = vscode;
  const { failure, sinceMs } = list.failure;
  const { sentence, nextStep } = failureText(failure);
  const since = formatHours(sinceMs, times, locale);
  const what = isStale(list) ? l10n.t('Outdated since {0}', since) : l10n.t('Could not load');
  const told = [what, sentence, nextStep, l10n.t('Error code: {0}', failure.code)];
  return {
    icon: 'warning',
    description: isStale(list) ? `${what} · ${sentence}` : sentence,
    rest: {
      tooltip: told.filter((line) => line !== undefined).join('\n'),
      accessibilityInformation: { label: [l10n.t('Retry'), what, sentence].join(', ') },
      ...(failure.code === 'keyRejected' && { contextValue: 'failure key' }),
    },
  };
}
