import type { Action } from './action.ts';

/** Any of the messages that report the outcome of a submission. */
export const outcome =
  /was submitted as job|was accepted|may or may not have become a job|was not accepted|was not sent/;

/**
 * Submits the example request. Whatever the outcome, the service has seen one POST.
 * @param confirmed called when the request is about to be sent.
 */
export function submitAction(confirmed: () => void): Action {
  return async ({ workbench }) => {
    // The editor shows at most three messages at a time.
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
