import * as vscode from 'vscode';
import { oneLine } from '../domain/outsideText.ts';
import type { SettingName } from '../domain/settings/settingShapes.ts';
import { commandIds, settingId, type CommandId } from './ids.ts';

/** A button below a message. */
export interface NextStep {
  readonly title: string;
  run(): unknown;
}

/** Shows a message, without links, and does what the pressed button says. Settles when the message is gone, so await it only where that is wanted. */
export async function showMessage(
  severity: 'information' | 'warning' | 'error',
  message: string,
  nextSteps: readonly NextStep[] = [],
): Promise<void> {
  const titles = nextSteps.map(({ title }) => title);
  const chosen = await show(severity, plainMessage(message), titles);
  await nextSteps.find(({ title }) => title === chosen)?.run();
}

function show(
  severity: 'information' | 'warning' | 'error',
  message: string,
  titles: readonly string[],
): Thenable<string | undefined> {
  switch (severity) {
    case 'information':
      return vscode.window.showInformationMessage(message, ...titles);
    case 'warning':
      return vscode.window.showWarningMessage(message, ...titles);
    case 'error':
      return vscode.window.showErrorMessage(message, ...titles);
  }
}

/**
 * Asks in a modal dialog and gives the pressed button; undefined when the user leaves.
 * @param lines what the dialog says below the question; each stays one line, and an empty one sets apart what follows.
 */
export function askInModal(
  severity: 'information' | 'warning',
  question: string,
  lines: readonly string[],
  buttons: readonly string[],
): Thenable<string | undefined> {
  const message = oneLine(question, longestMessage);
  const options = { modal: true, detail: lines.map((line) => oneLine(line, longestMessage)).join('\n') };
  return severity === 'warning'
    ? vscode.window.showWarningMessage(message, options, ...buttons)
    : vscode.window.showInformationMessage(message, options, ...buttons);
}

/** A person reads no more. */
const longestMessage = 600;

/**
 * A text as notifications and input boxes are to show it. The editor makes a link of `[label](target)` in them, which may run a command;
 * names of jobs and files and the service's own words shall stay words. A word joiner in the middle, which nobody sees, keeps them so.
 */
export function plainMessage(text: string): string {
  return oneLine(text, 2 * longestMessage).replaceAll('](', ']\u2060(');
}

/** How long a word in the status bar stays: long enough to be read beside something else. */
const briefMs = 5000;

/** Says in the status bar what was just done, for a moment. What looks like an icon stays text. */
export function showBriefly(text: string): void {
  vscode.window.setStatusBarMessage(text.replaceAll('$(', String.raw`\$(`), briefMs);
}

/** Leads to the log. */
export function showLogStep(): NextStep {
  return commandStep(vscode.l10n.t('Show Log'), commandIds.showLog);
}

/** Runs one of our commands. */
export function commandStep(title: string, id: CommandId): NextStep {
  return { title, run: () => vscode.commands.executeCommand(id) };
}

/** Leads to one of our settings. */
export function openSettingsStep(name: SettingName): NextStep {
  return { title: vscode.l10n.t('Open Settings'), run: () => openSettings(`@id:${settingId(name)}`) };
}

/** Leads to the list of submissions. */
export function showSubmissionsStep(): NextStep {
  return {
    title: vscode.l10n.t('Show Submissions'),
    run: () => vscode.commands.executeCommand(commandIds.showSubmissions),
  };
}

/** Leads to a place in a file that has problems. */
export function showPlaceStep({ uri, range }: vscode.Location): NextStep {
  return {
    title: vscode.l10n.t('Show Problems'),
    run: () => vscode.window.showTextDocument(uri, { selection: range }),
  };
}

/** Leads to what the settings editor finds. */
export function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}

/** Something went wrong in a way that a sentence explains. `message` is shown as it is. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly nextSteps: readonly NextStep[];

  /** @param message localised. */
  constructor(message: string, nextSteps: readonly NextStep[] = [], options?: ErrorOptions) {
    super(message, options);
    this.nextSteps = nextSteps;
  }
}
