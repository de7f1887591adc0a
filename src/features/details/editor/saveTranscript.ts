import { basename } from 'node:path';
import * as vscode from 'vscode';
import { attempt, list, shortText, Undecodable, uriText, word, type Decoder } from '../../../base/decode/decoder.ts';
import { parseJson } from '../../../base/json/json.ts';
import { describeError } from '../../../base/failure.ts';
import { formatNumber } from '../../../base/format.ts';
import { hasResult, type Job } from '../../../jobs/common/job.ts';
import { oneLine, severalLines } from '../../../base/outsideText.ts';
import {
  chooseTranscriptFiles,
  originalVersion,
  readSavableResult,
  type SavableResult,
  type TranscriptChoice,
  type TranscriptFile,
} from '../../../jobs/common/savedTranscript.ts';
import {
  chooseFreeNames,
  fileNameKey,
  nameTranscriptFile,
  type TranscriptNaming,
} from '../../../jobs/common/transcriptName.ts';
import { describeFormat, transcriptFormats, type TranscriptFormat } from '../../../jobs/common/transcriptFormats.ts';
import type { SpeakerNames } from '../../../jobs/common/result/speakerNames.ts';
import { WorkSlices } from '../../../base/clock.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { writeJobFile } from '../../../jobs/node/export/writeJobFile.ts';
import { maskEntry } from '../../../jobs/node/export/maskEntry.ts';
import { readWholeJobs } from '../../../jobs/editor/readWholeJobs.ts';
import { asUserError, openTarget } from '../../../jobs/editor/workspaceTarget.ts';
import { askFolder } from '../../../platform/editor/askFolder.ts';
import { showInFolder } from '../../../platform/editor/showInFolder.ts';
import { showMessage, UserError, type NextStep } from '../../../platform/editor/messages.ts';
import { errorSentence } from '../../../platform/editor/showError.ts';
import { withCancel, type Report } from '../../../platform/editor/progress.ts';
import { pickSeveral, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import { formatsFor } from '../common/buildFieldRow.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { decodePlan, everyLanguage, lastPlanKey, type DeliveryPlan } from '../../deliver/common/delivery.ts';
import type { Services } from '../../../services.ts';
import type { CurrentFacts } from '../../../jobs/editor/currentFacts.ts';

/** Returns the names that the user gave to the speakers of a job. */
type SpeakersOf = (job: Job) => SpeakerNames;

/**
 * Prompts for formats, languages and a place, and saves the transcripts of jobs: a single file under any name, several
 * to a folder.
 * @throws UserError when there is no transcript, or the file cannot be written.
 */
export async function saveTranscripts(jobs: readonly Job[], services: Services, speakersOf: SpeakersOf): Promise<void> {
  const [job, ...others] = jobs;
  if (job === undefined) return;
  const [whole = job] = others.length === 0 ? await readWholeJobs([job], services.jobs, services.service.keyMask) : [];
  if (others.length === 0) return saveOne(whole, services, speakersOf);
  if (!jobs.some(hasResult)) throw withoutTranscript(jobs, services.facts);
  const what = vscode.l10n.t('{0} jobs', formatNumber(jobs.length, locale));
  const languages = await languagesOfJobs(jobs);
  const choice = await pickChoice(what, transcriptFormats, () => languages, services);
  if (choice !== undefined) await saveSeveral(jobs, choice, services, speakersOf);
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
    const result = await resultOf(job);
    const choice: TranscriptChoice = { formats: ['turns'], languages: [originalVersion] };
    const [file] = result === undefined ? [] : chooseTranscriptFiles(result, choice).files;
    if (result === undefined || file === undefined) continue;
    const content = await contentOf({ job, result, file, services, speakersOf });
    if (content === undefined) continue;
    const document = await vscode.workspace.openTextDocument({
      language: 'plaintext',
      content: `${oneLine(services.facts.titleOf(job))}\n\n${await plainLines(content)}`,
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
  const result = await resultOf(job);
  if (result === undefined) throw withoutTranscript([job], services.facts);
  const languagesOf = (formats: readonly TranscriptFormat[]): readonly Choice<string>[] =>
    languagesOfResult(result, formats);
  const choice = await pickChoice(services.facts.titleOf(job), result.formats, languagesOf, services);
  if (choice === undefined) return;
  const { files, missing } = chooseTranscriptFiles(result, choice);
  const [file, ...others] = files;
  if (file === undefined) throw withoutTranscript([job], services.facts);
  if (others.length > 0) return saveSeveral([job], choice, services, speakersOf);
  const name = nameTranscriptFile(file, naming(job, services))(1);
  const folder = await startFolder(job, services);
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Save Transcript'),
    saveLabel: vscode.l10n.t('Save'),
    filters: { [describeFormat(file.format).label]: [file.extension] },
    ...(folder !== undefined && { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return;
  const content = await contentOf({ job, result, file, services, speakersOf });
  if (content === undefined) return;
  await writeFile(uri, content);
  await services.workspaceState.update(lastFolderKey, vscode.Uri.joinPath(uri, '..').toString());
  await noteSaved(new Map([[job, uri]]), services);
  const open: NextStep = {
    title: vscode.l10n.t('Open'),
    run: () => vscode.commands.executeCommand('vscode.open', uri),
  };
  const sentences = [vscode.l10n.t('The transcript is saved in {0}.', basename(uri.path)), ...missing, ...file.notes];
  // Not awaited: the notification may stay open long after the command has finished.
  void showMessage('information', sentences.join(' '), [open]);
}

/** Prompts for a folder, and saves one or more files per job. */
async function saveSeveral(
  jobs: readonly Job[],
  choice: TranscriptChoice,
  services: Services,
  speakersOf: SpeakersOf,
): Promise<void> {
  const [job] = jobs;
  const folder = await askFolder(
    vscode.l10n.t('Folder for the Transcripts'),
    job && (await startFolder(job, services)),
  );
  if (folder === undefined) return;
  await services.workspaceState.update(lastFolderKey, folder.toString());
  const outcome = await withCancel(vscode.l10n.t('Saving transcripts'), (signal, report) =>
    saveInto({ folder, jobs, choice, services, speakersOf }, signal, report),
  );
  if (outcome.error !== undefined) services.log.error(`transcripts: ${describeError(outcome.error)}`);
  const isIncomplete = outcome.without.length > 0 || outcome.missing.size > 0;
  const severity = outcome.error !== undefined ? 'error' : isIncomplete ? 'warning' : 'information';
  await noteSaved(outcome.firstFiles, services);
  const [first] = outcome.firstFiles.values();
  const show: readonly NextStep[] =
    first === undefined ? [] : [{ title: vscode.l10n.t('Show in Folder'), run: () => showInFolder(first) }];
  void showMessage(severity, outcomeText(outcome, folder, services.facts), show);
}

/** Outcome of saving the transcripts of several jobs, or of several languages. */
interface SaveOutcome {
  /** Number of files. */
  readonly saved: number;
  /** First file written of each job. */
  readonly firstFiles: ReadonlyMap<Job, vscode.Uri>;
  /** Files whose name differs from that of their job, because it was taken. */
  readonly renamed: readonly string[];
  /** Jobs without anything to save in this format. */
  readonly without: readonly Job[];
  /** Sentences about what is missing of other jobs, with the titles of these. */
  readonly missing: Remarks;
  /** Sentences about files, with their names. */
  readonly notes: Remarks;
  /** Number of jobs not processed because of a cancellation or failure. */
  readonly left: number;
  /** Error while writing a file. */
  readonly error: unknown;
}

/** Sentences, and the names that each of them applies to. */
type Remarks = ReadonlyMap<string, readonly string[]>;

/** Jobs to save, and where. */
interface TranscriptBatch {
  readonly folder: vscode.Uri;
  readonly jobs: readonly Job[];
  readonly choice: TranscriptChoice;
  readonly services: Services;
  readonly speakersOf: SpeakersOf;
}

/** Writes the files of each job, under names that are free. Never throws. */
async function saveInto(
  { folder, jobs, choice, services, speakersOf }: TranscriptBatch,
  signal: AbortSignal,
  report: Report,
): Promise<SaveOutcome> {
  const { keyMask } = services.service;
  const without: Job[] = [];
  const renamed: string[] = [];
  const missing = new Map<string, string[]>();
  const notes = new Map<string, string[]>();
  let [saved, done] = [0, 0];
  const firstFiles = new Map<Job, vscode.Uri>();
  const outcome = (error?: unknown): SaveOutcome => ({
    saved,
    firstFiles,
    renamed,
    without,
    missing,
    notes,
    left: jobs.length - done,
    error,
  });
  try {
    const taken = new Set((await vscode.workspace.fs.readDirectory(folder)).map(([name]) => fileNameKey(name)));
    for (const job of jobs) {
      // Reading a long result takes a while, during which Cancel would not respond.
      await new Promise((resolve) => setImmediate(resolve));
      if (signal.aborted) break;
      const whole = await maskEntry(await services.jobs.readWhole(job, signal), keyMask);
      const result = await resultOf(whole);
      const chosen = result && chooseTranscriptFiles(result, choice);
      if (chosen === undefined || chosen.files.length === 0) without.push(job);
      else for (const sentence of chosen.missing) addRemark(missing, sentence, services.facts.titleOf(job));
      const files = chosen?.files ?? [];
      const usual = files.map((file) => nameTranscriptFile(file, naming(job, services)));
      const names = chooseFreeNames(usual, (each) => taken.has(fileNameKey(each)));
      for (const [index, file] of files.entries()) {
        const name = names[index];
        if (result === undefined || name === undefined) break;
        const content = await contentOf({ job: whole, result, file, services, speakersOf });
        if (content === undefined) continue;
        taken.add(fileNameKey(name));
        const uri = vscode.Uri.joinPath(folder, name);
        await writeFile(uri, content);
        if (!firstFiles.has(job)) firstFiles.set(job, uri);
        if (name !== usual[index]?.(1)) renamed.push(name);
        for (const note of file.notes) addRemark(notes, note, name);
        saved++;
      }
      done++;
      report(vscode.l10n.t('{0} of {1}', formatNumber(done, locale), formatNumber(jobs.length, locale)));
    }
    return outcome();
  } catch (error) {
    return outcome(asUserError(error, folder));
  }
}

/** Records files that were saved, so that the pages of their jobs show them. */
async function noteSaved(files: ReadonlyMap<Job, vscode.Uri>, { connections, actions }: Services): Promise<void> {
  const { current } = connections;
  if (current !== undefined && files.size > 0) await actions.deliver.noteSavedFiles(current, files);
}

function addRemark(remarks: Map<string, string[]>, sentence: string, name: string): void {
  const names = remarks.get(sentence);
  if (names === undefined) remarks.set(sentence, [name]);
  else names.push(name);
}

/** Maximum number of jobs without a transcript, and of renamed files, that the message names; it only counts the others. */
const maxNamed = 5;

function outcomeText(
  { saved, renamed, without, missing, notes, left, error }: SaveOutcome,
  folder: vscode.Uri,
  facts: CurrentFacts,
): string {
  const { l10n } = vscode;
  const number = (value: number): string => formatNumber(value, locale);
  const list = (names: readonly string[]): string => {
    const shown = names.slice(0, maxNamed).join(', ');
    return names.length > maxNamed ? l10n.t('{0} and {1} more', shown, number(names.length - maxNamed)) : shown;
  };
  const remarks = [...missing, ...notes].slice(0, maxNamed);
  const sentences = [
    saved === 1
      ? l10n.t('1 file is saved in {0}.', basename(folder.path))
      : l10n.t('{0} files are saved in {1}.', number(saved), basename(folder.path)),
    renamed.length === 0 ? undefined : l10n.t('Name already taken, saved as: {0}.', list(renamed)),
    without.length === 0
      ? undefined
      : l10n.t('No transcript in this format: {0}.', list(without.map((job) => facts.titleOf(job)))),
    ...remarks.map(([sentence, names]) => l10n.t('{0} ({1})', sentence, list(names))),
    left === 0 ? undefined : l10n.t('Not saved: {0}.', number(left)),
    error === undefined ? undefined : errorSentence(error),
  ];
  return sentences.filter((sentence) => sentence !== undefined).join(' ');
}

/** Returns the savable result of a job; undefined if there is none. Yields regularly. */
async function resultOf(job: Job): Promise<SavableResult | undefined> {
  return hasResult(job) ? new WorkSlices().run(readSavableResult(job)) : undefined;
}

/** A file of a job. */
interface SavedFile {
  readonly job: Job;
  readonly result: SavableResult;
  readonly file: TranscriptFile;
  readonly services: Services;
  readonly speakersOf: SpeakersOf;
}

/** Returns the content of a job's file; undefined if there is nothing to save. Yields regularly. */
async function contentOf({ job, result, file, services, speakersOf }: SavedFile): Promise<string | undefined> {
  const { current } = services.connections;
  const link = current && { origin: originOf(current.baseUrl), scheme: vscode.env.uriScheme };
  const title = services.facts.titleOf(job);
  return writeJobFile({ job, result, file, title, names: speakersOf(job), link }, services.service.keyMask);
}

/** Returns what names of a job's files contain. */
function naming(job: Job, { facts, service }: Services): TranscriptNaming {
  return { job, title: facts.titleOf(job), mask: (text) => service.keyMask.apply(text) };
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

/** Workspace state keys: folder, formats and languages of the last saved transcripts. The number is the version. */
const lastFolderKey = 'lastTranscriptFolder.1';
const lastFormatsKey = 'lastTranscriptFormats.1';
const lastLanguagesKey = 'lastTranscriptLanguages.1';
const decodeFormats = list(word(...transcriptFormats), transcriptFormats.length);

/** Returns the last answer for saved transcripts, or else for results to be saved when jobs are done. */
function lastChoice({ workspaceState }: Pick<Services, 'workspaceState'>): Pick<DeliveryPlan, 'formats' | 'languages'> {
  const read = <T>(key: string, decode: Decoder<T>): T | undefined => {
    const stored = attempt(decode, workspaceState.get(key));
    return stored instanceof Undecodable ? undefined : stored;
  };
  const plan = read(lastPlanKey, decodePlan);
  return {
    formats: read(lastFormatsKey, decodeFormats) ?? plan?.formats ?? [],
    languages: read(lastLanguagesKey, decodeLanguages) ?? plan?.languages ?? [],
  };
}

/** Returns where files of a job were saved last, or else the last transcripts, or else the workspace folder. */
async function startFolder(
  job: Job,
  { connections, actions, workspaceState }: Services,
): Promise<vscode.Uri | undefined> {
  const { current } = connections;
  const saved = current && (await actions.deliver.savedFile(current, job));
  if (saved !== undefined) return vscode.Uri.joinPath(saved, '..');
  const last = attempt(uriText, workspaceState.get(lastFolderKey));
  return last instanceof Undecodable ? vscode.workspace.workspaceFolders?.[0]?.uri : vscode.Uri.parse(last);
}

/**
 * Prompts for formats, then for languages if there is more than one, with the last answers selected; undefined if the user cancels.
 * @param what text for the title
 * @param languagesOf returns the languages that have files in these formats; the first one is selected by default
 */
async function pickChoice(
  what: string,
  offered: readonly TranscriptFormat[],
  languagesOf: (formats: readonly TranscriptFormat[]) => readonly Choice<string>[],
  { workspaceState }: Pick<Services, 'workspaceState'>,
): Promise<TranscriptChoice | undefined> {
  const title = vscode.l10n.t('Save Transcript: {0}', what);
  const last = lastChoice({ workspaceState });
  const formatChoices = offered.map((value): Choice<TranscriptFormat> => ({ ...describeFormat(value), value }));
  const formats = await pickSeveral<TranscriptFormat>({
    title,
    placeholder: vscode.l10n.t('File formats'),
    choices: formatChoices,
    selected: formatChoices.filter(({ value }) => value !== undefined && last.formats.includes(value)),
    picksActive: true,
    canGoBack: false,
  });
  if (formats.type !== 'picked' || formats.value.length === 0) return undefined;
  await workspaceState.update(lastFormatsKey, formats.value);
  const choices = languagesOf(formats.value.filter((format) => format !== 'json'));
  if (choices.length <= 1) return { formats: formats.value, languages: choices.flatMap(({ value = [] }) => value) };
  const isAll = last.languages.includes(allLanguages) && !choices.some(({ value }) => value === allLanguages);
  const known = choices.filter(({ value = '' }) => isAll || last.languages.includes(value));
  const languages = await pickSeveral({
    title,
    placeholder: vscode.l10n.t('Languages'),
    choices,
    selected: known.length > 0 ? known : choices.slice(0, 1),
    picksActive: true,
    canGoBack: false,
  });
  if (languages.type !== 'picked' || languages.value.length === 0) return undefined;
  await workspaceState.update(lastLanguagesKey, languages.value.slice(0, maxLanguages));
  const hasAll = languages.value.includes(allLanguages);
  return { formats: formats.value, languages: hasAll ? 'all' : languages.value };
}

/** Stands for all languages in a prompt, as in plans. No language has this name. */
const allLanguages = everyLanguage;

/** Returns the languages of a result that have content in any of the formats, which JSON has for all of them together. */
function languagesOfResult(
  { versions }: SavableResult,
  formats: readonly TranscriptFormat[],
): readonly Choice<string>[] {
  return versions
    .filter((version) => formats.some((format) => version.formats.includes(format)))
    .map(({ id, language }): Choice<string> => {
      const isOriginal = id === originalVersion;
      const label = isOriginal ? vscode.l10n.t('As spoken') : languageLabel(id);
      return { label, value: id, ...(isOriginal && language !== '' && { description: languageLabel(language) }) };
    });
}

/** Returns the name of a language with its code; only the code if it is unknown. */
function languageLabel(code: string): string {
  const shown = formatsFor(locale).languages([code]);
  return plainLabel(shown?.type === 'text' ? shown.text : code);
}

/** Maximum number of languages in the prompt for several jobs. All others are in {@link allLanguages}. */
const maxLanguages = 100;
const decodeLanguages = list(shortText(40), maxLanguages);

/**
 * Returns the languages that several jobs may have, by what their requests ask for, because lists do not keep results.
 * Determined without parsing the items.
 */
async function languagesOfJobs(jobs: readonly Job[]): Promise<readonly Choice<string>[]> {
  const original: Choice<string> = { label: vscode.l10n.t('As spoken'), value: originalVersion };
  const requested = new Set<string>();
  let hasTranslations = false;
  const slices = new WorkSlices();
  for (const { raw } of jobs) {
    await slices.rest();
    hasTranslations ||= /"translation"\s{0,99}:\s{0,99}\{/u.test(raw);
    const [, written = ''] = /"target_languages"\s{0,99}:\s{0,99}(\[[^\]]{0,1000}\])/u.exec(raw) ?? [];
    const languages = attempt(decodeLanguages, parseJson(written));
    if (languages instanceof Undecodable) continue;
    hasTranslations = true;
    for (const language of languages) if (requested.size < maxLanguages) requested.add(language);
  }
  if (!hasTranslations) return [original];
  const translations = [...requested]
    .toSorted()
    .map((language) => ({ label: languageLabel(language), value: language }));
  return [original, ...translations, { label: vscode.l10n.t('As spoken, and all translations'), value: allLanguages }];
}
