import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatJson } from '../../../src/base/json/formatJson.ts';
import { harmlessJson } from '../../../src/base/outsideText.ts';
import { formatItem } from '../../../src/platform/formatItem.ts';
import { spokenItem } from '../../support/builders/largeItems.ts';
import { withoutBlocking } from '../../support/hostile/hostileGuard.ts';

test('an item of 20 MB is formatted like a small one, without blocking the editor', async () => {
  for (const raw of [
    '{"id":"a","n":1.10}',
    spokenItem('a', 16_000),
    `{"id":"a","text":"${'\u{1f600}\u202e'.repeat(500_000)}"}`,
  ]) {
    let text = '';
    await withoutBlocking(async () => {
      text = await formatItem(raw, harmlessJson);
    });
    assert.ok(text === harmlessJson(formatJson(raw)));
  }
});
