import assert from 'node:assert/strict';
import { it } from 'node:test';
import { ViewBadges, type NumberBadge } from '../../../../src/jobs/common/viewBadges.ts';

it('a badge is the sum of its parts, and disappears without them', () => {
  const shown: (NumberBadge | undefined)[] = [];
  const badges = new ViewBadges((badge) => shown.push(badge));
  badges.set('attention', { value: 2, tooltip: 'two' });
  badges.set('watched', { value: 1, tooltip: 'one' });
  badges.set('attention', undefined);
  badges.set('watched', undefined);
  assert.deepEqual(shown, [
    { value: 2, tooltip: 'two' },
    { value: 3, tooltip: 'two\none' },
    { value: 1, tooltip: 'one' },
    undefined,
  ]);
});
