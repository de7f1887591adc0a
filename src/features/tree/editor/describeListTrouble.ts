import * as vscode from 'vscode';
import { failureText } from '../../../base/failureText.ts';
import { formatHours, formatNumber, formatSeconds } from '../../../base/format.ts';
import type { RowFacts } from '../../../jobs/common/jobRow.ts';
import { isStale } from '../common/jobTree.ts';
import { slowAfterMs, type ServiceTrouble } from '../../../jobs/node/serviceHealth.ts';
import type { ListState } from '../../../jobs/node/store/listState.ts';

/** Texts of a row about a problem with a list. */
interface TroubleWords {
  readonly label: string;
  readonly icon: string;
  readonly description?: string;
  readonly rest: Pick<vscode.TreeItem, 'tooltip' | 'accessibilityInformation' | 'contextValue'>;
}

/** Texts of the connection's row. */
interface ServiceWords {
  /** Short, because the row is narrow: the reason, then a time. */
  readonly state: string;
  readonly tooltip: string;
}

/** Describes why the service does not answer, since when, and the time of the next automatic attempt. */
export function describeServiceTrouble(
  { failure, atMs, sinceMs }: ServiceTrouble,
  nextTryMs: number | undefined,
  { times, locale }: Pick<RowFacts, 'times' | 'locale'>,
): ServiceWords {
  const { l10n } = vscode;
  const { sentence, nextStep } = failureText(failure);
  const since = formatHours(sinceMs, times, locale);
  const nextTryTime = nextTryMs === undefined ? undefined : formatSeconds(nextTryMs, times, locale);
  const nextTry = nextTryTime === undefined ? undefined : l10n.t('Next attempt at {0}.', nextTryTime);
  const { retryAtMs } = failure.facts;
  const retryAt = retryAtMs === undefined ? undefined : formatSeconds(retryAtMs, times, locale);
  const lines = [
    sentence,
    l10n.t('Since {0}', since),
    nextTry,
    // With a time from the service, the next step is to try again then, which the next attempt does.
    retryAt === undefined ? nextStep : nextTry === undefined ? l10n.t('Try again after {0}.', retryAt) : undefined,
    l10n.t('Error code: {0}', failure.code),
  ];
  const tooltip = lines.filter((line) => line !== undefined).join('\n');
  switch (failure.code) {
    case 'keyRejected':
      return { state: l10n.t('key rejected'), tooltip };
    case 'noKey':
      return { state: l10n.t('no key'), tooltip };
    case 'rateLimited':
      return {
        state: retryAt === undefined ? l10n.t('rate limit reached') : l10n.t('rate limit until {0}', retryAt),
        tooltip,
      };
    case 'offline':
    case 'timeout':
      return {
        state:
          nextTryTime === undefined
            ? l10n.t('no answer at {0}', formatHours(atMs, times, locale))
            : l10n.t('no answer, retry at {0}', nextTryTime),
        tooltip,
      };
    default:
      return {
        state:
          nextTryTime === undefined ? l10n.t('failing since {0}', since) : l10n.t('failing, retry at {0}', nextTryTime),
        tooltip,
      };
  }
}

/** Describes a service whose answers take long. */
export function describeSlowness(sinceMs: number, { times, locale }: Pick<RowFacts, 'times' | 'locale'>): ServiceWords {
  const { l10n } = vscode;
  const lines = [
    l10n.t(
      'A request has waited for more than {0} seconds. Every request counts, until one is answered sooner.',
      formatNumber(slowAfterMs / 1000, locale),
    ),
    l10n.t('Since {0}', formatHours(sinceMs, times, locale)),
  ];
  return { state: l10n.t('slow to answer'), tooltip: lines.join('\n') };
}

/**
 * Describes a list that could not be read or refreshed, ended early, or changed while it was read. Returns undefined for a list without
 * problems.
 * @param isNotice true for a row about the last two
 */
export function describeListTrouble(
  list: ListState,
  isNotice: boolean,
  facts: Pick<RowFacts, 'times' | 'locale'>,
): TroubleWords | undefined {
  return isNotice ? describeNotice(list) : describeFailure(list, facts);
}

function describeFailure(
  list: ListState,
  { times, locale }: Pick<RowFacts, 'times' | 'locale'>,
): TroubleWords | undefined {
  if (list.failure === undefined) return undefined;
  const { l10n } = vscode;
  const { failure, sinceMs } = list.failure;
  const { sentence, nextStep } = failureText(failure);
  const since = formatHours(sinceMs, times, locale);
  const what = isStale(list) ? l10n.t('Outdated since {0}', since) : l10n.t('Could not load');
  const lines = [what, sentence, nextStep, l10n.t('Error code: {0}', failure.code)];
  return {
    label: sentence,
    icon: 'warning',
    description: isStale(list) ? `${l10n.t('Retry')} · ${what}` : l10n.t('Retry'),
    rest: {
      tooltip: lines.filter((line) => line !== undefined).join('\n'),
      accessibilityInformation: { label: [what, sentence, l10n.t('Retry')].join(', ') },
      ...(failure.code === 'keyRejected' && { contextValue: 'failure key' }),
    },
  };
}

function describeNotice({ notice }: ListState): TroubleWords {
  const { l10n } = vscode;
  const stuck = notice === 'stuck';
  const label = stuck ? l10n.t('The list ends here · Reload') : l10n.t('The list changed while loading · Reload');
  const tooltip = stuck
    ? l10n.t('The service says that there are more jobs but sends no new ones.')
    : l10n.t('Jobs changed while loading. Every job that matched throughout is listed; others may be outdated.');
  // Without an accessible label, screen readers read the tooltip instead of the label.
  const accessibilityInformation = { label: [label, tooltip].join(', ') };
  return { label, icon: stuck ? 'warning' : 'info', rest: { tooltip, accessibilityInformation } };
}
