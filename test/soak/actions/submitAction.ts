import type { SoakWindow } from '../soakWindow.ts';
import type { MessageKey } from '../texts.ts';
import type { Action } from './action.ts';

/** The messages that report the outcome of a submission. */
export const outcomes: readonly MessageKey[] = [
  '"{0}" was submitted as job {1}.',
  '"{0}" was accepted. The service gave no job ID.',
  '"{0}" may or may not have become a job. {1} It won\'t be resent automatically.',
  '"{0}" was not accepted.',
  '"{0}" was not sent.',
];

/** The message if nothing was sent after all. */
export const sentByOther: MessageKey = 'Nothing was sent: another window just sent the same request.';

/**
 * Confirms the question before a request is sent, and waits for one of the messages that report the outcome. Counts the request, unless
 * another window has sent it before.
 */
export async function confirmRequest(window: SoakWindow, ends: readonly MessageKey[]): Promise<void> {
  const { workbench, texts, service } = window;
  const submit = workbench.dialogButton(texts.start('Submit'));
  await submit.waitFor();
  service.counts.submitted++;
  await submit.click();
  const other = workbench.notifications.withText(texts.start(sentByOther)).first();
  const end = workbench.notifications.withText(texts.start(...ends)).first();
  await other.or(end).first().waitFor();
  if (await other.isVisible()) service.counts.submitted--;
}

/** Submits the example request. Whatever the outcome, the service has seen one POST. */
export const submitRequest: Action = async (window) => {
  const { workbench, texts } = window;
  // The editor shows at most three messages at a time.
  await workbench.runCommand('Notifications: Clear All Notifications');
  await workbench.openFile('podcast.transcription.json');
  await workbench.runCommand(texts.command('command.submitRequest'));
  await confirmRequest(window, outcomes);
};
