import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Emitter } from '../../../../src/base/emitter.ts';
import { ViewPresence, type NumberBadge } from '../../../../src/jobs/node/viewPresence.ts';

function makeView() {
  const visibility = new Emitter<void>();
  return {
    visible: false,
    badge: undefined as NumberBadge | undefined,
    onDidChangeVisibility: visibility.event,
    visibility,
  };
}

it('a badge is the sum of its parts, and disappears without them', () => {
  const presence = new ViewPresence();
  const view = makeView();
  presence.use(view);
  const shown: (NumberBadge | undefined)[] = [];
  for (const [part, badge] of [
    ['attention', { value: 2, tooltip: 'two' }],
    ['watched', { value: 1, tooltip: 'one' }],
    ['attention', undefined],
    ['watched', undefined],
  ] as const) {
    presence.setBadge(part, badge);
    shown.push(view.badge);
  }
  assert.deepEqual(shown, [
    { value: 2, tooltip: 'two' },
    { value: 3, tooltip: 'two\none' },
    { value: 1, tooltip: 'one' },
    undefined,
  ]);
});

it('a badge that is set before the view exists is shown by it, and the view is visible as long as it is', () => {
  const presence = new ViewPresence();
  presence.setBadge('view', { value: 4, tooltip: 'four' });
  assert.equal(presence.visible, false);
  let changes = 0;
  presence.onDidChangeVisibility(() => changes++);
  const view = makeView();
  const used = presence.use(view);
  assert.deepEqual([view.badge, changes], [{ value: 4, tooltip: 'four' }, 1]);
  view.visible = true;
  view.visibility.fire();
  assert.deepEqual([presence.visible, changes], [true, 2]);
  used.dispose();
  view.visibility.fire();
  assert.equal(changes, 2);
});
