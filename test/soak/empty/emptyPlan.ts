import type { Action } from '../actions/action.ts';
import { closeAll } from '../actions/jobActions.ts';
import type { ActionPlan } from '../actions/actionPlan.ts';

/** Refreshes the tree. */
const refreshTree: Action = async ({ workbench }) => workbench.runCommand('Empty Tree: Refresh');

/** Opens one of the request files, which the editor's own JSON service then validates. */
const openFile: Action = async ({ workbench, random }) => {
  await workbench.openFile(random.pick(['podcast.transcription.json', 'interview.transcription.json']));
};

/** Opens a quick pick and closes it. */
const chooseNothing: Action = async ({ workbench }) => {
  await workbench.openPalette();
  await workbench.quickInput.type('Empty Tree');
  await workbench.quickInput.item('Empty Tree: Refresh').waitFor();
  await workbench.quickInput.cancel();
};

/** Actions that do not depend on the extension, as frequent as their counterparts in the product's soak test. */
export const emptyPlan: ActionPlan = [
  ['refresh', 18, refreshTree],
  ['filter', 3, chooseNothing],
  ['open a file', 11, openFile],
  ['close all', 1, closeAll],
];
