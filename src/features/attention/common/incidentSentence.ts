import { t } from '@vscode/l10n';
import { formatNumber, formatTime, type Locale, type TimeStyle } from '../../../base/format.ts';
import type { Share } from '../../../jobs/common/shareChange.ts';

/** Failures that have become more frequent among all failures. */
interface Incident {
  readonly sinceMs: number;
  /** From when the failures before are counted. */
  readonly fromMs: number;
  readonly since: Share;
  readonly before: Share;
  /** What they share: "422, customer Aurora Health". */
  readonly what: string;
}

/** Describes an incident in one sentence: "24 of 26 failures since 17:02: 422, customer Aurora Health (0 of 312 before, from Nov 19, 9:00)". */
export function incidentSentence(
  { sinceMs, fromMs, since, before, what }: Incident,
  nowMs: number,
  locale: Locale,
  times?: TimeStyle,
): string {
  return t(
    '{0} of {1} failures since {2}: {3} ({4} of {5} before, from {6})',
    formatNumber(since.hits, locale),
    formatNumber(since.of, locale),
    formatTime(sinceMs, nowMs, times, locale),
    what,
    formatNumber(before.hits, locale),
    formatNumber(before.of, locale),
    formatTime(fromMs, nowMs, times, locale),
  );
}
