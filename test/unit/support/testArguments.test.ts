import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../support/run/runMain.ts';
import { selectTests } from '../../support/run/selectTests.ts';
import { readTestArguments } from '../../support/run/testArguments.ts';

test('without arguments all kinds run', () => {
  assert.deepEqual(readTestArguments([]), { kinds: ['unit', 'host', 'ui'] });
});

test('kinds can be chosen, and a filter given', () => {
  assert.deepEqual(readTestArguments(['ui', 'tree', 'host']), { kinds: ['host', 'ui'], filter: 'tree' });
});

test('an option or a second filter is refused in one line', () => {
  assert.throws(() => readTestArguments(['--watch']), refusal('--watch'));
  assert.throws(() => readTestArguments(['unit', 'tree', 'page']), refusal('page'));
});

test('a filter that is part of a path chooses files', () => {
  assert.deepEqual(selectTests(['a/tree.test.js', 'a/page.test.js'], 'TREE'), { files: ['a/tree.test.js'] });
});

test('any other filter chooses titles in all files, letter by letter', () => {
  const { files, title } = selectTests(['a.test.js', 'b.test.js'], 'is (not) kept');
  assert.deepEqual(files, ['a.test.js', 'b.test.js']);
  assert.match('the key Is (not) kept anywhere', title ?? /^$/);
  assert.doesNotMatch('the key is not kept', title ?? /^/);
});

test('no filter chooses everything', () => {
  assert.deepEqual(selectTests(['a.test.js'], undefined), { files: ['a.test.js'] });
});

function refusal(argument: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof UsageError && error.message.startsWith(`Unknown argument ${argument}; use: npm test`);
}
