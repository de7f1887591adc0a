import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';

const rows = join(repositoryRoot, 'test/bench/rows');

// The bench runs rarely, and what a row reads while it loads, such as the manifest, changes often.
for (const file of readdirSync(rows)) {
  test(`the row ${file} of the bench loads`, async () => {
    const loaded = (await import(join(rows, file))) as { readonly row?: unknown };
    assert.equal(typeof loaded.row, 'function');
  });
}
