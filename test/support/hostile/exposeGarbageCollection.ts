import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Exposes `gc`, so that garbage of earlier work is collected before memory or turns are measured. */
export function exposeGarbageCollection(): void {
  setFlagsFromString('--expose-gc');
  const gc: unknown = runInNewContext('gc');
  Object.assign(globalThis, { gc });
}
