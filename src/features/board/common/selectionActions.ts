import { maxCompared } from '../../../jobs/common/maxCompared.ts';
import type { BoardAction } from './boardProtocol.ts';

/**
 * Returns the actions for selected rows.
 * @param tones of all selected rows, as in {@link BoardRow}; undefined if not all rows are known, which excludes nothing
 */
export function actionsOf(count: number, tones: ReadonlySet<string> | undefined): readonly BoardAction[] {
  const isAmong = (...wanted: readonly string[]): boolean =>
    tones === undefined || [...wanted, 'unknown'].some((each) => tones.has(each));
  return [
    ...(count === 1 ? (['open'] as const) : []),
    ...(count > 1 && count <= maxCompared ? (['compare'] as const) : []),
    ...(isAmong('queued', 'processing') ? (['watch'] as const) : []),
    ...(isAmong('done') ? (['saveTranscript'] as const) : []),
    'export',
    ...(isAmong('error') ? (['resubmit', 'markHandled', 'mute'] as const) : []),
    'copyIds',
    'copyJson',
  ];
}
