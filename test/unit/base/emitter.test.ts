import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Emitter } from '../../../src/base/emitter.ts';

/** Creates an emitter of texts with three listeners, the second of which throws. */
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

test('a listener that throws affects neither other listeners nor the caller of fire', () => {
  const errors: unknown[] = [];
  const { emitter, shown } = withOneThatThrows((error) => errors.push(String(error)));
  emitter.fire('a');
  emitter.fire('b');
  assert.deepEqual(shown, ['1 a', '3 a', '1 b', '3 b']);
  assert.deepEqual(errors, ['Error: no a', 'Error: no b']);
});

test('without a reporter, the error of a listener is thrown later as an uncaught error', (context) => {
  const later: (() => void)[] = [];
  context.mock.method(globalThis, 'queueMicrotask', (call: () => void) => later.push(call));
  const emitter = new Emitter<string>();
  emitter.event(() => {
    throw new Error('no');
  });
  emitter.fire('a');
  assert.throws(() => later[0]?.(), /^Error: no$/);
});

test('the same function may listen twice, and a disposed listener is no longer called', () => {
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
  assert.deepEqual(shown, ['a', 'a', 'b']);
  emitter.dispose();
  emitter.fire('c');
  assert.equal(shown.length, 3);
});
