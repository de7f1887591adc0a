import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatJson } from '../../../src/domain/json/formatJson.ts';
import { harmlessJson } from '../../../src/domain/outsideText.ts';
import { formatItem } from '../../../src/service/formatItem.ts';
import { spokenItem } from '../../support/builders/largeItems.ts';
import { maxTurnMs, measured, measureSlowness } from '../../support/hostile/hostileGuard.ts';

test('an item of 20 MB is formatted as a small one is, without blocking the editor', async () => {
  for (const raw of [
    '{"id":"a","n":1.10}',
    spokenItem('a', 16_000),
    `{"id":"a","text":"${'\u{1f600}\u202e'.repeat(500_000)}"}`,
  ]) {
    let text = '';
    const { longestTurnMs } = await measured(async () => {
      text = await formatItem(raw, harmlessJson);
    });
    assert.ok(longestTurnMs < maxTurnMs * measureSlowness(), `a turn of ${longestTurnMs.toFixed(0)} ms`);
    assert.ok(text === harmlessJson(formatJson(raw)));
  }
});
