import type { RateLimitKnob, WorldKnobs } from './worldSpec.ts';

/**
 * The `Date` header of a response; undefined if there is none.
 * @param now virtual time in milliseconds since the epoch.
 * @param nth selects one of the offsets.
 */
export function dateHeader(knob: WorldKnobs['dateHeader'], now: number, nth: number): string | undefined {
  if (knob === 'missing') return undefined;
  if (knob === 'odd') return 'yesterday, more or less';
  const offset = knob.offsetsMs[nth % Math.max(1, knob.offsetsMs.length)] ?? 0;
  const step = Math.max(1, knob.coarseMs);
  return new Date(Math.floor((now + offset) / step) * step).toUTCString();
}

/** The header that says when to retry, if there is one. */
export function retryAfter(knob: RateLimitKnob, now: number): Readonly<Record<string, string>> {
  switch (knob.retryAfter) {
    case 'seconds':
      return { 'retry-after': String(knob.seconds) };
    case 'date':
      return { 'retry-after': new Date(now + knob.seconds * 1000).toUTCString() };
    case 'missing':
      return {};
    case 'odd':
      return { 'retry-after': 'soon' };
  }
}
