import type { Locale } from './viewFacts.ts';

/** Date and time to the second, with the zone, as the reader writes them. */
export function momentText(atMs: number, { language, timeZone }: Locale): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'long', timeZone }).format(atMs);
}
