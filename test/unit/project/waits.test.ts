import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** What lets a test wait for a time instead of a state. */
const wait = /\bwaitForTimeout\b|\bsetTimeout\(|from 'node:timers\/promises'/;

describe('Tests that look at an editor or a page', () => {
  it('wait for states, never for a time: `until` is the only one that pauses', () => {
    const files = globSync('test/{page,host,ui}/**/*.ts').concat(globSync('test/support/{page,workbench}/**/*.ts'));
    assert.ok(files.length > 50, `${files.length} files`);
    assert.deepEqual(
      files.filter((file) => wait.test(readFileSync(file, 'utf8'))),
      [],
    );
  });

  it('are found where they wait for a time', () => {
    for (const text of [
      'await new Promise((resolve) => setTimeout(resolve, 100));',
      'await page.waitForTimeout(5);',
      "import { setTimeout as delay } from 'node:timers/promises';",
    ]) {
      assert.match(text, wait);
    }
  });
});
