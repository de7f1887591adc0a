import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { describeLongEcho, isEchoTooLong, makeRequestOfJob, type SettingFate } from '../common/requestFromJob.ts';
import type { ServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import { writeNewRequest, listTemplates, type RequestTemplate, type NewRequest } from '../common/templates.ts';
import { contextKeys } from '../../../platform/editor/ids.ts';
import { showMessage, UserError, type NextStep } from '../../../platform/editor/messages.ts';
import { untitledUri } from '../../../language/editor/requestDocuments.ts';
import { type RequestHelp, positionsIn, toRange } from '../../../language/editor/diagnostics.ts';

/** Opens a request from a template: the one given by a key binding or link, or else one that the user picks. Cancelling opens nothing. */
export async function newRequestFromTemplate([id]: readonly unknown[], isSample: boolean): Promise<void> {
  const templates = listTemplates(isSample);
  const template = templates.find((each) => each.id === id) ?? (await pickTemplate(templates));
  if (template) await openUntitledRequest(writeNewRequest(template.body, editorIndent()), template.id);
}

function pickTemplate(templates: readonly RequestTemplate[]): Thenable<RequestTemplate | undefined> {
  return vscode.window.showQuickPick(
    templates.map(({ description, ...template }) => ({ ...template, description: '', detail: description })),
    { title: vscode.l10n.t('New Request'), placeHolder: vscode.l10n.t('What should be transcribed?') },
  );
}

/**
 * Opens a request with the settings of a job, and reports what could not be copied.
 * @throws UserError when no job is chosen, or it has no request settings
 */
export async function newRequestFromJob(
  job: Job | undefined,
  help: RequestHelp,
  knowledge: ServiceKnowledge | undefined,
): Promise<void> {
  if (job === undefined)
    throw new UserError(vscode.l10n.t('Select a job with known settings to create a request with the same.'));
  const request = makeRequestOfJob(job, knowledge?.service);
  if (isEchoTooLong(job)) throw new UserError(describeLongEcho());
  if (!request) throw new UserError(vscode.l10n.t('Nothing to copy: how this job was requested is unknown.'));
  const { body, fates } = request;
  await openUntitledRequest(writeNewRequest(body, editorIndent()), job.kind === 'live' ? 'live' : 'again');
  const count = (fate: SettingFate['fate']) => fates.filter((each) => each.fate === fate).length;
  const message = vscode.l10n.t(
    'Settings copied: {0}. To be filled in: {1}. No equivalent: {2}.',
    count('copied'),
    count('needsInput'),
    count('noCounterpart'),
  );
  // The message may stay for long; the command is over.
  void showMessage('information', message, [showFatesStep(help, fates)]);
}

/** Returns the editor's indentation for JSON. */
export function editorIndent(): number | string {
  const editor = vscode.workspace.getConfiguration('editor', { languageId: 'json' });
  if (editor.get<unknown>('insertSpaces') === false) return '\t';
  const size = editor.get<unknown>('tabSize');
  return typeof size === 'number' ? size : 2;
}

/** Returns the step that shows how each setting of a job was copied. */
export function showFatesStep(help: RequestHelp, fates: readonly SettingFate[]): NextStep {
  return {
    title: vscode.l10n.t('Show List'),
    run: () => help.showPage(vscode.l10n.t('Copied settings'), fateReport(fates)),
  };
}

function fateReport(fates: readonly SettingFate[]): string {
  const { l10n } = vscode;
  const sections: readonly (readonly [SettingFate['fate'], string])[] = [
    ['needsInput', l10n.t('To be filled in')],
    ['copied', l10n.t('Copied')],
    ['noCounterpart', l10n.t('No equivalent in a request')],
  ];
  return sections
    .map(([fate, title]) => {
      const lines = fates
        .filter((each) => each.fate === fate)
        .map(({ from, note }) => (note === undefined ? `- ${code(from)}` : `- ${code(from)}: ${note}`));
      return lines.length === 0 ? '' : `## ${title}\n\n${lines.join('\n')}\n`;
    })
    .filter((section) => section !== '')
    .join('\n');
}

/** Formats untrusted names as Markdown code: they must not close the code span that contains them. */
function code(text: string): string {
  return `\`${text.replaceAll(/[`\s]+/gu, ' ')}\``;
}

/**
 * Opens an unsaved request with the cursor at the given offset. Its file name makes the editor treat it as a request; it is
 * saved under that name when a folder is open.
 * @param name first part of the file name
 * @returns the URI of the document
 */
export async function openUntitledRequest({ text, cursor }: NewRequest, name: string): Promise<vscode.Uri> {
  const document = await vscode.workspace.openTextDocument(await freeUri(name));
  // Written before it is shown, so that the user cannot type into the empty document.
  const edit = new vscode.WorkspaceEdit();
  edit.insert(document.uri, new vscode.Position(0, 0), text);
  await vscode.workspace.applyEdit(edit);
  // By line and column: the document may have other line breaks, which would change the offsets.
  const selection = toRange(positionsIn(text), { offset: cursor, length: 0 });
  await vscode.window.showTextDocument(document, { selection });
  void vscode.commands.executeCommand('setContext', contextKeys.requestOpened, true);
  return document.uri;
}

/** Returns the first of `name`, `name-2`, … that is neither a file nor an open document. */
async function freeUri(name: string): Promise<vscode.Uri> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const taken = new Set(vscode.workspace.textDocuments.map(({ uri }) => uri.path));
  for (let number = 1; ; number++) {
    const fileName = `${number === 1 ? name : `${name}-${number}`}.transcription.json`;
    const file = folder && vscode.Uri.joinPath(folder, fileName);
    const path = file?.path ?? fileName;
    if (!taken.has(path) && !(file && (await exists(file)))) return untitledUri({ path });
  }
}

async function exists(uri: vscode.Uri): Promise<boolean> {
  try {
    await vscode.workspace.fs.stat(uri);
    return true;
  } catch {
    return false;
  }
}
