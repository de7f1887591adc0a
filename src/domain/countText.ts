import { t } from '@vscode/l10n';
import { numberText } from './jobView/numberText.ts';
import type { Locale } from './jobView/viewFacts.ts';

/** What a count is told from. */
export interface Counted {
  readonly jobs: { readonly entries: readonly unknown[] };
  readonly loaded: boolean;
  readonly hasMore: boolean;
  readonly exact: { readonly count: number; readonly atMs: number } | undefined;
}

/** How many jobs a list has, honestly: "20+" while there is more, "37" when that is all, the exact number with its time when counted. */
export function countText(list: Counted, { locale }: { readonly locale: Locale }): string {
  if (!list.loaded && list.exact === undefined) return '';
  const rows = list.jobs.entries.length;
  if (list.loaded && !list.hasMore) return numberText(rows, locale);
  if (list.exact === undefined) return t('{0}+', numberText(rows, locale));
  const at = new Intl.DateTimeFormat(locale.language, { timeStyle: 'short', timeZone: locale.timeZone });
  return t('{0} at {1}', numberText(list.exact.count, locale), at.format(list.exact.atMs));
}
