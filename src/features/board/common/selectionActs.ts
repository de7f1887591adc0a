import type { BoardAct } from './boardProtocol.ts';

/**
 * What can be done with selected rows.
 * @param tones of all of them, as {@link BoardRow} has it; undefined where the rows are not all known, which excludes nothing
 */
export function actsOf(count: number, tones: ReadonlySet<string> | undefined): readonly BoardAct[] {
  const isAmong = (...wanted: readonly string[]): boolean =>
    tones === undefined || [...wanted, 'unknown'].some((each) => tones.has(each));
  return [
    ...(count === 1 ? (['open'] as const) : []),
    ...(count > 1 ? (['compare'] as const) : []),
    ...(isAmong('queued', 'processing') ? (['watch'] as const) : []),
    ...(isAmong('done') ? (['saveTranscript'] as const) : []),
    'export',
    ...(isAmong('error') ? (['resubmit', 'markHandled'] as const) : []),
    'copyIds',
    'copyJson',
  ];
}
