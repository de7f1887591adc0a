import type { SoakWindow } from '../soakWindow.ts';
import type { Action } from './action.ts';
import { useBoard } from './boardAction.ts';
import { clearFilter, filter, loadMore, refresh } from './browseActions.ts';
import { handleFailures, searchTranscript } from './dayActions.ts';
import { closeAll, openAsJson, openJob, openToSide } from './jobActions.ts';

/** Uses every feature once, so that everything loaded on demand is loaded from the start. */
export async function warmUp(window: SoakWindow, submit: Action, resubmit: Action): Promise<void> {
  const { workbench, tree } = window;
  await workbench.showView('Transcription Jobs');
  await tree.expand(/^Done/);
  await tree.row(/^job /).first().waitFor();
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
    submit,
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
