import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';

/** An emitter of texts with three listeners, of which the second throws. */
function withOneThatThrows(report: (error: unknown) => void) {
  const shown: string[] = [];
  const emitter = new Emitter<string>(report);
  emitter.event((text) => shown.push(`1 ${text}`));
  emitter.event((text) => {
    throw new Error(`no ${text}`);
  });
  emitter.event((text) => shown.push(`3 ${text}`));
  return { emitter, shown };
}

test('a listener that throws keeps neither the others nor whoever fires from going on', () => {
  const errors: unknown[] = [];
  const { emitter, shown } = withOneThatThrows((error) => errors.push(String(error)));
  emitter.fire('a');
  emitter.fire('b');
  assert.deepEqual(shown, ['1 a', '3 a', '1 b', '3 b']);
  assert.deepEqual(errors, ['Error: no a', 'Error: no b']);
});

test('with nobody to report to, the error comes up as an uncaught one, later', (context) => {
  const later: (() => void)[] = [];
  context.mock.method(globalThis, 'queueMicrotask', (call: () => void) => later.push(call));
  const emitter = new Emitter<string>();
  emitter.event(() => {
    throw new Error('no');
  });
  emitter.fire('a');
  assert.throws(() => later[0]?.(), /^Error: no$/);
});

test('the same function may listen twice, and a listener that is disposed is told no more', () => {
  const emitter = new Emitter<string>();
  const shown: string[] = [];
  const listen = (text: string): void => {
    shown.push(text);
  };
  const first = emitter.event(listen);
  emitter.event(listen);
  emitter.fire('a');
  first.dispose();
  emitter.fire('b');
  assert.deepEqual([shown, emitter.listenerCount], [['a', 'a', 'b'], 1]);
  emitter.dispose();
  emitter.fire('c');
  assert.deepEqual([shown.length, emitter.listenerCount], [3, 0]);
});
