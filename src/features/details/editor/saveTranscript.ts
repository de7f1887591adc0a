import { basename } from 'node:path';
import * as vscode from 'vscode';
import { describeError } from '../../../base/failure.ts';
import { formatNumber } from '../../../base/format.ts';
import { hasResult, type Job } from '../../../jobs/common/job.ts';
import { oneLine, severalLines } from '../../../base/outsideText.ts';
import {
  nameTranscriptFile,
  readSavableResult,
  transcriptExtension,
  transcriptFormats,
  writeTranscriptFile,
  type TranscriptFormat,
} from '../../../jobs/common/savedTranscript.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import { WorkSlices } from '../../../base/clock.ts';
import { maskEntry } from '../../../jobs/node/export/maskEntry.ts';
import { readWholeJobs } from '../../../jobs/editor/readWholeJobs.ts';
import { asUserError, openTarget } from '../../../jobs/editor/workspaceTarget.ts';
import { showMessage, UserError, type NextStep } from '../../../platform/editor/messages.ts';
import { withCancel, type Report } from '../../../platform/editor/progress.ts';
import { pickOne } from '../../../platform/editor/quickPick.ts';
import { locale } from '../../../platform/editor/locale.ts';
import type { Services } from '../../../services.ts';
import type { CurrentFacts } from '../../../jobs/editor/currentFacts.ts';

/** Returns the names that the user gave to the speakers of a job. */
type SpeakersOf = (job: Job) => SpeakerNames;

/**
 * Prompts for a format and a place, and saves the transcript of a job to a file, or those of several jobs to a folder.
 * @throws UserError when there is no transcript, or the file cannot be written.
 */
export async function saveTranscripts(jobs: readonly Job[], services: Services, speakersOf: SpeakersOf): Promise<void> {
  const [job, ...others] = jobs;
  if (job === undefined) return;
  const [whole = job] = others.length === 0 ? await readWholeJobs([job], services.jobs, services.service.keyMask) : [];
  if (others.length === 0) await saveOne(whole, services, speakersOf);
  else await saveSeveral(jobs, services, speakersOf);
}

/** Number of characters of a document processed at once. */
const documentCharacters = 64 * 1024;

/**
 * Opens the transcripts of jobs as text. The first line of each document is the job's title, which the editor uses as its name.
 * @throws UserError when no job has a transcript
 */
export async function openTranscripts(jobs: readonly Job[], services: Services, speakersOf: SpeakersOf): Promise<void> {
  let opened = 0;
  for (const job of await readWholeJobs(jobs, services.jobs, services.service.keyMask)) {
    const content = await contentOf(job, 'turns', services, speakersOf);
    if (content === undefined) continue;
    const document = await vscode.workspace.openTextDocument({
      language: 'plaintext',
      content: `${oneLine(maskedTitle(job, services))}\n\n${await plainLines(content)}`,
    });
    await vscode.window.showTextDocument(document, { preview: false });
    opened++;
  }
  if (opened === 0) throw withoutTranscript(jobs, services.facts);
}

/** Returns the lines of a document without disruptive characters. Yields regularly. */
async function plainLines(text: string): Promise<string> {
  const slices = new WorkSlices();
  const parts: string[] = [];
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf('\n', at + documentCharacters);
    const end = lineEnd === -1 ? text.length : lineEnd + 1;
    parts.push(severalLines(text.slice(at, end), Number.MAX_SAFE_INTEGER));
    at = end;
    await slices.rest();
  }
  return parts.join('');
}

async function saveOne(job: Job, services: Services, speakersOf: SpeakersOf): Promise<void> {
  const slices = new WorkSlices();
  const result = hasResult(job) ? await slices.run(readSavableResult(job)) : undefined;
  if (result === undefined) throw withoutTranscript([job], services.facts);
  const title = maskedTitle(job, services);
  const format = await pickFormat(result.formats, title);
  if (format === undefined) return;
  const name = nameTranscriptFile(title, services.service.keyMask.apply(job.id), format);
  const folder = workspaceFolder();
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Transcript'),
    saveLabel: vscode.l10n.t('Save'),
    filters: { [formatTexts(format).label]: [transcriptExtension(format)] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return;
  const content = await slices.run(writeTranscriptFile(result, format, title, speakersOf(job)));
  if (content === undefined) return;
  await writeFile(uri, content);
  const open: NextStep = {
    title: vscode.l10n.t('Open'),
    run: () => vscode.commands.executeCommand('vscode.open', uri),
  };
  // Not awaited: the notification may stay open long after the command has finished.
  void showMessage('information', vscode.l10n.t('The transcript is saved in {0}.', basename(uri.path)), [open]);
}

async function saveSeveral(jobs: readonly Job[], services: Services, speakersOf: SpeakersOf): Promise<void> {
  if (!jobs.some(hasResult)) throw withoutTranscript(jobs, services.facts);
  const count = formatNumber(jobs.length, locale);
  const format = await pickFormat(transcriptFormats, vscode.l10n.t('{0} jobs', count));
  if (format === undefined) return;
  const defaultUri = workspaceFolder();
  const [folder] =
    (await vscode.window.showOpenDialog({
      title: vscode.l10n.t('Folder for the Transcripts'),
      openLabel: vscode.l10n.t('Save Here'),
      canSelectFiles: false,
      canSelectFolders: true,
      canSelectMany: false,
      ...(defaultUri !== undefined && { defaultUri }),
    })) ?? [];
  if (folder === undefined) return;
  const outcome = await withCancel(vscode.l10n.t('Saving transcripts'), (signal, report) =>
    saveInto({ folder, jobs, format, services, speakersOf }, signal, report),
  );
  if (outcome.error !== undefined) services.log.error(`transcripts: ${describeError(outcome.error)}`);
  const severity = outcome.error !== undefined ? 'error' : outcome.without.length > 0 ? 'warning' : 'information';
  const { first } = outcome;
  const show: readonly NextStep[] =
    first === undefined ? [] : [{ title: vscode.l10n.t('Show in Folder'), run: () => showInFolder(first) }];
  void showMessage(severity, outcomeText(outcome, folder, services.facts), show);
}

/**
 * Shows a file in the editor's explorer if it is in the workspace, otherwise in the system's file manager. A browser has none, so the
 * file is opened there.
 */
function showInFolder(file: vscode.Uri): Thenable<unknown> {
  const isInWorkspace = vscode.workspace.getWorkspaceFolder(file) !== undefined;
  const isInBrowser = vscode.env.uiKind === vscode.UIKind.Web;
  const command = isInWorkspace ? 'revealInExplorer' : isInBrowser ? 'vscode.open' : 'revealFileInOS';
  return vscode.commands.executeCommand(command, file);
}

/** Outcome of saving the transcripts of several jobs. */
interface SaveOutcome {
  readonly saved: number;
  /** First file written. */
  readonly first: vscode.Uri | undefined;
  /** Files whose name differs from that of their job, because it was taken. */
  readonly renamed: readonly string[];
  /** Jobs without anything to save in this format. */
  readonly without: readonly Job[];
  /** Number of jobs not processed because of a cancellation or failure. */
  readonly left: number;
  /** Error while writing a file. */
  readonly error: unknown;
}

/** Jobs to save, and where. */
interface TranscriptBatch {
  readonly folder: vscode.Uri;
  readonly jobs: readonly Job[];
  readonly format: TranscriptFormat;
  readonly services: Services;
  readonly speakersOf: SpeakersOf;
}

/** Writes a file for each job, under names that are free. Never throws. */
async function saveInto(
  { folder, jobs, format, services, speakersOf }: TranscriptBatch,
  signal: AbortSignal,
  report: Report,
): Promise<SaveOutcome> {
  const { keyMask } = services.service;
  const without: Job[] = [];
  const renamed: string[] = [];
  let saved = 0;
  let first: vscode.Uri | undefined;
  const outcome = (error?: unknown): SaveOutcome => ({
    saved,
    first,
    renamed,
    without,
    left: jobs.length - saved - without.length,
    error,
  });
  try {
    // Some file systems distinguish upper and lower case, others do not.
    const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => name.toLowerCase()));
    for (const job of jobs) {
      // Reading a long result takes a while, during which Cancel would not respond.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) break;
      const whole = await maskEntry(await services.jobs.readWhole(job, signal), keyMask);
      const content = await contentOf(whole, format, services, speakersOf);
      if (content === undefined) {
        without.push(job);
        continue;
      }
      const title = maskedTitle(job, services);
      const id = keyMask.apply(job.id);
      const name = nameTranscriptFile(title, id, format, (each) => taken.has(each.toLowerCase()));
      taken.add(name.toLowerCase());
      const file = vscode.Uri.joinPath(folder, name);
      await writeFile(file, content);
      first ??= file;
      if (name !== nameTranscriptFile(title, id, format)) renamed.push(name);
      saved++;
      report(vscode.l10n.t('{0} of {1}', formatNumber(saved, locale), formatNumber(jobs.length, locale)));
    }
    return outcome();
  } catch (error) {
    return outcome(asUserError(error, folder));
  }
}

/** Maximum number of jobs without a transcript, and of renamed files, that the message names; it only counts the others. */
const maxNamed = 5;

function outcomeText(
  { saved, renamed, without, left, error }: SaveOutcome,
  folder: vscode.Uri,
  facts: CurrentFacts,
): string {
  const { l10n } = vscode;
  const number = (value: number): string => formatNumber(value, locale);
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, maxNamed).join(', ');
    return names.length > maxNamed ? l10n.t('{0} and {1} more', shown, number(names.length - maxNamed)) : shown;
  };
  const sentences = [
    saved === 1
      ? l10n.t('1 transcript is saved in {0}.', basename(folder.path))
      : l10n.t('{0} transcripts are saved in {1}.', number(saved), basename(folder.path)),
    renamed.length === 0 ? undefined : l10n.t('Name already taken, saved as: {0}.', list(renamed)),
    without.length === 0
      ? undefined
      : l10n.t('No transcript in this format: {0}.', list(without.map((job) => facts.titleOf(job)))),
    left === 0 ? undefined : l10n.t('Not saved: {0}.', number(left)),
    error === undefined
      ? undefined
      : error instanceof UserError
        ? error.message
        : l10n.t('Sorry, something went wrong in Transcription Jobs. See the log for details.'),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

/** Returns the content of a job's file; undefined if there is nothing to save in this format. Yields regularly. */
async function contentOf(
  job: Job,
  format: TranscriptFormat,
  services: Services,
  speakersOf: SpeakersOf,
): Promise<string | undefined> {
  const slices = new WorkSlices();
  const result = hasResult(job) ? await slices.run(readSavableResult(job)) : undefined;
  return result && slices.run(writeTranscriptFile(result, format, maskedTitle(job, services), speakersOf(job)));
}

function maskedTitle(job: Job, { facts, service }: Services): string {
  return service.keyMask.apply(facts.titleOf(job));
}

function withoutTranscript(jobs: readonly Job[], facts: CurrentFacts): UserError {
  const [job, ...others] = jobs;
  return new UserError(
    job === undefined || others.length > 0
      ? vscode.l10n.t('The service sent no transcripts for these jobs.')
      : vscode.l10n.t('The service sent no transcript for {0}.', facts.titleOf(job)),
  );
}

async function writeFile(uri: vscode.Uri, content: string): Promise<void> {
  try {
    const target = await openTarget(uri);
    try {
      await target.write(content);
      await target.commit();
    } catch (error) {
      await target.abandon();
      throw error;
    }
  } catch (error) {
    throw asUserError(error, uri);
  }
}

function workspaceFolder(): vscode.Uri | undefined {
  return vscode.workspace.workspaceFolders?.[0]?.uri;
}

/** Prompts for the format; undefined if the user cancels. @param what text for the title */
async function pickFormat(formats: readonly TranscriptFormat[], what: string): Promise<TranscriptFormat | undefined> {
  const answer = await pickOne<TranscriptFormat>({
    title: vscode.l10n.t('Save Transcript: {0}', what),
    placeholder: vscode.l10n.t('File format'),
    choices: formats.map((format) => ({ ...formatTexts(format), value: format })),
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value : undefined;
}

function formatTexts(format: TranscriptFormat): { readonly label: string; readonly detail: string } {
  const { l10n } = vscode;
  switch (format) {
    case 'text':
      return { label: l10n.t('Text'), detail: l10n.t('.txt: what was said and nothing else') };
    case 'turns':
      return {
        label: l10n.t('Text with speakers and times'),
        detail: l10n.t('.txt: a paragraph for each turn, with its time, speaker and language'),
      };
    case 'markdown':
      return { label: 'Markdown', detail: l10n.t('.md: the same with a heading') };
    case 'srt':
      return { label: 'SubRip', detail: l10n.t(".srt: the service's own subtitles, or ones made from the utterances") };
    case 'vtt':
      return { label: 'WebVTT', detail: l10n.t(".vtt: the service's own subtitles, or ones made from the utterances") };
    case 'json':
      return { label: 'JSON', detail: l10n.t('.json: the whole result, exactly as the service sent it') };
  }
}
