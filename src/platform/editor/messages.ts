import * as vscode from 'vscode';
import { oneLine } from '../../base/outsideText.ts';
import { commandIds, settingId, viewIds, type CommandId, type SettingName } from './ids.ts';

/** A button of a notification. */
export interface NextStep {
  readonly title: string;
  run(): unknown;
}

/** Shows a notification, without links, and runs the pressed button's action. Settles when it is closed, so await it only if needed. */
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
 * Prompts in a modal dialog. Returns the pressed button; undefined if the user cancels.
 * @param lines shown below the question, each on a separate line; an empty one adds space.
 */
export function askInModal(
  severity: 'information' | 'warning',
  question: string,
  lines: readonly string[],
  buttons: readonly string[],
): Thenable<string | undefined> {
  const message = oneLine(question, maxMessageLength);
  const options = { modal: true, detail: lines.map((line) => oneLine(line, maxMessageLength)).join('\n') };
  return severity === 'warning'
    ? vscode.window.showWarningMessage(message, options, ...buttons)
    : vscode.window.showInformationMessage(message, options, ...buttons);
}

/** In characters, per line of a dialog; notifications and input boxes may be twice as long. Longer texts are cut. */
const maxMessageLength = 600;

/**
 * Escapes a text for notifications and input boxes. The editor turns `[label](target)` into a link, which may run a command, but names of
 * jobs and files and the service's texts must stay plain. An invisible word joiner between the brackets prevents the link.
 */
export function plainMessage(text: string): string {
  return oneLine(text, 2 * maxMessageLength).replaceAll('](', ']\u2060(');
}

/** Duration of a status bar message, in milliseconds. */
const briefMs = 5000;

/** In characters. */
const maxBriefLength = 200;

/** Briefly reports a completed action in the status bar. Icon syntax stays plain text. */
export function showBriefly(text: string): void {
  vscode.window.setStatusBarMessage(oneLine(text, maxBriefLength).replaceAll('$(', String.raw`\$(`), briefMs);
}

/** Opens the log. */
export function showLogStep(): NextStep {
  return commandStep(vscode.l10n.t('Show Log'), commandIds.showLog);
}

/** Runs a command of the extension. */
export function commandStep(title: string, id: CommandId): NextStep {
  return { title, run: () => vscode.commands.executeCommand(id) };
}

/** Opens a setting of the extension. */
export function openSettingsStep(name: SettingName): NextStep {
  return { title: vscode.l10n.t('Open Settings'), run: () => openSettings(`@id:${settingId(name)}`) };
}

/** Opens the list of submissions. */
export function showSubmissionsStep(): NextStep {
  return commandStep(vscode.l10n.t('Show Submissions'), commandIds.showSubmissions);
}

/** Opens a file at the location of a problem. */
export function showPlaceStep({ uri, range }: vscode.Location): NextStep {
  return {
    title: vscode.l10n.t('Show Problems'),
    run: () => vscode.window.showTextDocument(uri, { selection: range }),
  };
}

/** Shows the jobs view, with the focus in it. */
export function focusJobsView(): Thenable<unknown> {
  return vscode.commands.executeCommand(`${viewIds.jobs}.focus`);
}

/** Opens the settings editor with a search. */
export function openSettings(query: string): Thenable<unknown> {
  return vscode.commands.executeCommand('workbench.action.openSettings', query);
}

/** An error with a sentence that explains it to the user. `message` is shown unchanged. */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly nextSteps: readonly NextStep[];

  /** @param message localised. */
  constructor(message: string, nextSteps: readonly NextStep[] = [], options?: ErrorOptions) {
    super(message, options);
    this.nextSteps = nextSteps;
  }
}
