import { Session } from 'node:inspector/promises';
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { HostState } from './hostState.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Collects all garbage and looks at what is left. */
export async function hostState(productTimers: number): Promise<HostState> {
  const listeners = await countListeners();
  collectGarbage();
  // What was only held by a finalizer goes in the next round.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return {
    heapBytes: getHeapStatistics().used_heap_size,
    residentBytes: process.memoryUsage.rss(),
    productTimers,
    listeners,
    resources,
  };
}

/** The product's emitters keep their listeners in sets, the editor's in emitters of their own. */
async function countListeners(): Promise<number> {
  const session = new Session();
  session.connect();
  try {
    const sum = async (prototype: string, count: string): Promise<number> => {
      const { result } = await session.post('Runtime.evaluate', { expression: prototype });
      const { objects } = await session.post('Runtime.queryObjects', { prototypeObjectId: result.objectId ?? '' });
      const total = await session.post('Runtime.callFunctionOn', {
        objectId: objects.objectId ?? '',
        functionDeclaration: `function () { return this.reduce((sum, each) => sum + (${count})(each), 0); }`,
        returnByValue: true,
      });
      if (total.exceptionDetails !== undefined) throw new Error(total.exceptionDetails.exception?.description);
      return Number(total.result.value);
    };
    Object.assign(globalThis, { soakEmitter: vscode.EventEmitter });
    // Prototypes of classes that extend Set are found as well, and are none.
    const inSet = `(set) => {
      try { return [...set].filter((each) => typeof each === 'function').length; } catch { return 0; }
    }`;
    const inSets = await sum('Set.prototype', inSet);
    const inEmitters = await sum('soakEmitter.prototype', '(emitter) => emitter._size ?? 0');
    const ofProcess = process.eventNames().reduce((all, name) => all + process.listenerCount(name), 0);
    return inSets + inEmitters + ofProcess;
  } finally {
    session.disconnect();
  }
}
