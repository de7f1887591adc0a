import {
  foldHandled,
  handledRecords,
  type HandledRecord,
} from '../../../src/features/attention/common/handledMarks.ts';
import type { HandledStore } from '../../../src/features/attention/node/handledStore.ts';
import type { Clock } from '../../../src/base/clock.ts';

/** Stores marks of handled failures in a list. @param marked the existing marks; new ones are added */
export function memoryHandled(
  marked: HandledRecord[],
  clock: Pick<Clock, 'now'>,
): Pick<HandledStore, 'read' | 'mark' | 'mute' | 'undo'> {
  return {
    read: async () => foldHandled(marked),
    mark: async (_owner, failed, sinceMs, act) => {
      marked.push(...handledRecords(failed, clock.now(), act));
      if (sinceMs !== undefined) marked.push({ type: 'since', sinceMs, act });
    },
    mute: async (_owner, mutes, act) => {
      marked.push(...mutes.map((mute) => ({ type: 'muted', ...mute, atMs: clock.now(), act }) as const));
    },
    undo: async (_owner, act) => void marked.push({ type: 'undone', act }),
  };
}
