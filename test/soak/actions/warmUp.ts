import { stateMs } from '../../support/until.ts';
import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';
import { useBoard } from './boardAction.ts';
import { clearFilter, filter, loadMore, refresh } from './browseActions.ts';
import { submitBatch, useBatch } from './batchActions.ts';
import { handleFailures, resubmit, searchTranscript } from './dayActions.ts';
import { closeAll, jobRows, openAsJson, openJob, openToSide } from './jobActions.ts';
import { saveTranscript } from './saveAction.ts';
import { submitRequest } from './submitAction.ts';

/** Uses every feature once, so that all code that is loaded on demand is loaded from the start. */
export async function warmUp(window: SoakWindow): Promise<void> {
  const { workbench, tree, texts } = window;
  await workbench.showView(texts.title('displayName'));
  await tree.expand(texts.start('Done'));
  await jobRows(window).first().waitFor();
  for (const action of [
    refresh,
    loadMore,
    openJob,
    openToSide,
    openAsJson,
    useBoard,
    closeAll,
    searchTranscript,
    handleFailures,
    resubmit,
    filter,
    clearFilter,
    submitRequest,
    submitBatch,
    whenUnwatched,
    useBatch,
    saveTranscript,
  ]) {
    await done(action, window);
  }
  await window.tidy();
}

/** Waits until no job is watched: all that were submitted are done, and their results are saved. */
export async function whenUnwatched({ workbench, texts }: SoakWindow): Promise<void> {
  const watching = workbench.statusBarItem(texts.start('Watching {0}')).first();
  await watching.waitFor({ state: 'detached', timeout: stateMs });
}

const tries = 5;

/** Repeats an action that loses its row: the list moves, so the chosen row may be gone before it is clicked. */
async function done(action: Action, window: SoakWindow): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(window);
    } catch (error) {
      if (attempt === tries) throw error;
      await window.escape();
    }
  }
}
