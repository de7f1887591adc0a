import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';
import { useBoard } from './boardAction.ts';
import { clearFilter, filter, loadMore, refresh } from './browseActions.ts';
import { handleFailures, resubmitAction, searchTranscript } from './dayActions.ts';
import { closeAll, jobRows, openAsJson, openJob, openToSide } from './jobActions.ts';
import { submitAction, type Sending } from './submitAction.ts';

/** Uses every feature once, so that all code that is loaded on demand is loaded from the start. */
export async function warmUp(window: SoakWindow, sending: Sending): Promise<void> {
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
    resubmitAction(sending),
    filter,
    clearFilter,
    submitAction(sending),
  ]) {
    await done(action, window);
  }
  await window.tidy();
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
