import type { Action } from './action.ts';

/** Any of the sentences that tell what became of it. */
export const outcome = /was submitted as job|was accepted|It is not known whether|was not accepted|was not sent/;

/**
 * Submits the example request. Whatever becomes of it, the service has seen one POST.
 * @param confirmed called when the request is about to leave.
 */
export function submitAction(confirmed: () => void): Action {
  return async ({ workbench }) => {
    // No more than three messages are in view at a time.
    await workbench.runCommand('Notifications: Clear All Notifications');
    await workbench.openFile('podcast.transcription.json');
    await workbench.runCommand('Transcription: Submit Request');
    const submit = workbench.dialogButton(/^Submit/);
    await submit.waitFor();
    confirmed();
    await submit.click();
    await workbench.notifications.withText(outcome).first().waitFor();
  };
}
