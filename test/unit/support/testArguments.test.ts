import assert from 'node:assert/strict';
import { test } from 'node:test';
import { UsageError } from '../../support/run/runMain.ts';
import { selectTests } from '../../support/run/selectTests.ts';
import { readTestArguments } from '../../support/run/testArguments.ts';

test('without arguments the usual kinds run, not those of a release or of what leaves', () => {
  assert.deepEqual(readTestArguments([]), { kinds: ['unit', 'page', 'host', 'ui'], editor: 'newest' });
  assert.deepEqual(readTestArguments(['release']).kinds, ['release']);
});

test('kinds can be chosen, and a filter given', () => {
  assert.deepEqual(readTestArguments(['ui', 'tree', 'host']), {
    kinds: ['host', 'ui'],
    filter: 'tree',
    editor: 'newest',
  });
});

test('the editor can be chosen, wherever the option stands', () => {
  const asked = { kinds: ['ui'], filter: 'tree', editor: 'oldest' };
  assert.deepEqual(readTestArguments(['ui', 'tree', '--editor', 'oldest']), asked);
  assert.deepEqual(readTestArguments(['--editor', 'oldest', 'tree', 'ui']), asked);
});

test('an editor that is none of those is refused', () => {
  assert.throws(() => readTestArguments(['--editor', '1.103']), refusal('--editor'));
  assert.throws(() => readTestArguments(['ui', '--editor']), refusal('--editor'));
});

test('an option or a second filter is refused in one line', () => {
  assert.throws(() => readTestArguments(['--watch']), refusal('--watch'));
  assert.throws(() => readTestArguments(['unit', 'tree', 'rows']), refusal('rows'));
});

test('a filter that is part of a path chooses files', () => {
  const files = ['/clone/test/a/tree.test.js', '/clone/test/a/page.test.js'];
  assert.deepEqual(selectTests('/clone/test', files, 'TREE'), { files: [files[0]] });
  assert.deepEqual(selectTests('/clone/test', files, 'a/p'), { files: [files[1]] });
});

test('where the clone lies chooses nothing', () => {
  const folder = '/home/transcription-jobs/test';
  const files = [`${folder}/jobs/a.test.js`, `${folder}/b.test.js`];
  assert.deepEqual(selectTests(folder, files, 'jobs'), { files: [files[0]] });
  assert.deepEqual(selectTests(folder, files, 'home'), { files, title: /home/i });
});

test('any other filter chooses titles in all files, letter by letter', () => {
  const { files, title } = selectTests('.', ['a.test.js', 'b.test.js'], 'is (not) kept');
  assert.deepEqual(files, ['a.test.js', 'b.test.js']);
  assert.match('the key Is (not) kept anywhere', title ?? /^$/);
  assert.doesNotMatch('the key is not kept', title ?? /^/);
});

test('no filter chooses everything', () => {
  assert.deepEqual(selectTests('.', ['a.test.js'], undefined), { files: ['a.test.js'] });
});

function refusal(argument: string): (error: unknown) => boolean {
  return (error) =>
    error instanceof UsageError && error.message.startsWith(`Unknown argument ${argument}; use: npm test`);
}
