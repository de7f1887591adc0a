import assert from 'node:assert/strict';
import { it } from 'node:test';
import { projectSources } from '../../support/sources/projectSources.ts';

/** Names at the beginning of the lines of a block, or of the block on one line. */
function membersOf(text: string, start: string): readonly string[] {
  const from = text.indexOf(start);
  if (from < 0) return [];
  const indent = /\n( *)[^\n]*$/.exec(text.slice(0, from))?.[1] ?? '';
  const block = text.slice(from, text.indexOf(`\n${indent}}`, from));
  return [...block.matchAll(new RegExp(`(?:^${indent}  |^[\\w.]+\\(\\{ )(\\w+)[(:]`, 'gm'))].map(
    ([, name = '']) => name,
  );
}

it('every action of features is provided, by one feature, and no other', () => {
  const sources = projectSources();
  const declared = membersOf(sources.get('src/services.ts') ?? '', 'export interface FeatureActions {');
  const provided = [...sources]
    .filter(([path]) => path.startsWith('src/features/'))
    .flatMap(([, text]) => membersOf(text, 'actions.provide({'));
  assert.ok(declared.length > 20);
  assert.deepEqual(provided.toSorted(), declared.toSorted());
});
