import assert from 'node:assert/strict';
import { it } from 'node:test';
import { actionsOf } from '../../../../../src/features/board/common/selectionActions.ts';

const special = ['open', 'compare', 'watch', 'saveTranscript', 'resubmit', 'markHandled', 'mute'];

it('a selection offers the actions that some of its rows support, and all actions if rows are unknown', () => {
  const offered = (count: number, tones: readonly string[] | undefined): string =>
    actionsOf(count, tones && new Set(tones))
      .filter((each) => special.includes(each))
      .join(' ');
  assert.equal(offered(1, ['done']), 'open saveTranscript');
  assert.equal(offered(1, ['queued']), 'open watch');
  assert.equal(offered(1, ['error']), 'open resubmit markHandled mute');
  assert.equal(offered(3, ['done', 'processing']), 'compare watch saveTranscript');
  const all = 'compare watch saveTranscript resubmit markHandled mute';
  assert.equal(offered(2, ['done', 'unknown']), all);
  assert.equal(offered(5000, undefined), all.replace('compare ', ''));
  assert.equal(offered(10, ['done']), 'compare saveTranscript');
  assert.equal(offered(26, ['done']), 'saveTranscript');
  assert.deepEqual(actionsOf(2, new Set(['done'])), ['compare', 'saveTranscript', 'export', 'copyIds', 'copyJson']);
});
