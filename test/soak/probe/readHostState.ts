import { Session } from 'node:inspector/promises';
import { getHeapSpaceStatistics, getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import * as vscode from 'vscode';
import type { HostState } from './hostState.ts';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Collects garbage and reads the remaining state. */
export async function hostState(productTimers: number): Promise<HostState> {
  const { listeners, emptySets } = await countSets();
  collectGarbage();
  // Objects held only by a finalizer are collected in the next round.
  await new Promise((resolve) => setImmediate(resolve));
  collectGarbage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo()) resources[name] = (resources[name] ?? 0) + 1;
  return {
    heapBytes: getHeapStatistics().used_heap_size,
    codeBytes: codeBytes(),
    residentBytes: process.memoryUsage.rss(),
    productTimers,
    listeners,
    emptySets,
    resources,
  };
}

/** Counts bytecode in the trusted spaces and machine code in the code spaces. */
function codeBytes(): number {
  return getHeapSpaceStatistics()
    .filter(({ space_name: name }) => /^(?:code|trusted)_/.test(name))
    .reduce((sum, { space_used_size: bytes }) => sum + bytes, 0);
}

/** The product's emitters keep their listeners in sets; the editor's have their own emitter class. */
async function countSets(): Promise<Pick<HostState, 'listeners' | 'emptySets'>> {
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
    // The query also finds prototypes of classes that extend Set, which are not sets.
    const inSet = `(set) => {
      try { return [...set].filter((each) => typeof each === 'function').length; } catch { return 0; }
    }`;
    const inSets = await sum('Set.prototype', inSet);
    const inEmitters = await sum('soakEmitter.prototype', '(emitter) => emitter._size ?? 0');
    const ofProcess = process.eventNames().reduce((all, name) => all + process.listenerCount(name), 0);
    const isEmpty = `(set) => { try { return set.size === 0 ? 1 : 0; } catch { return 0; } }`;
    return { listeners: inSets + inEmitters + ofProcess, emptySets: await sum('Set.prototype', isEmpty) };
  } finally {
    session.disconnect();
  }
}
