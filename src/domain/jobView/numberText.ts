import type { Locale } from './viewFacts.ts';

/** A number as the reader writes it, with every digit it has. `grouped` separates thousands. */
export function numberText(value: number, { language }: Locale, grouped = true): string {
  return new Intl.NumberFormat(language, { maximumFractionDigits: 20, useGrouping: grouped }).format(value);
}
