import type { Locale, TimeUnit } from './format.ts';

/**
 * A duration in at most three units: "2 min 3.5 s" below an hour, whole seconds below a day, whole minutes above.
 * @param durationMs milliseconds, not negative.
 */
export function formatDuration(durationMs: number, { language }: Locale): string {
  const seconds = Math.round(durationMs / 100) / 10;
  const parts: readonly (readonly [number, TimeUnit])[] =
    seconds < 3600
      ? [
          [Math.floor(seconds / 60), 'minute'],
          [Math.round((seconds % 60) * 10) / 10, 'second'],
        ]
      : [
          [Math.floor(seconds / 86_400), 'day'],
          [Math.floor((seconds % 86_400) / 3600), 'hour'],
          [Math.floor((seconds % 3600) / 60), 'minute'],
          [seconds < 86_400 ? Math.floor(seconds % 60) : 0, 'second'],
        ];
  const shown = parts.filter(([amount]) => amount > 0);
  const texts = (shown.length === 0 ? ([[0, 'second']] as const) : shown).map(([amount, unit]) =>
    new Intl.NumberFormat(language, { style: 'unit', unit, unitDisplay: 'short' }).format(amount),
  );
  return new Intl.ListFormat(language, { type: 'unit', style: 'narrow' }).format(texts);
}

/** Formats a processing time in a column of times: minutes and seconds, with hours from one hour on. */
export function formatElapsed(ms: number): string {
  const seconds = Math.round(ms / 1000);
  if (seconds === 0 && ms > 0) return '<0:01';
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const two = (part: number): string => String(part).padStart(2, '0');
  return hours === 0 ? `${minutes}:${two(seconds % 60)}` : `${hours}:${two(minutes)}:${two(seconds % 60)}`;
}
