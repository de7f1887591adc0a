import { posix } from 'node:path';
import * as vscode from 'vscode';
import { WorkSlices } from '../../../base/clock.ts';
import {
  attempt,
  flag,
  integer,
  list,
  record,
  shortText,
  text,
  Undecodable,
  type Decoded,
} from '../../../base/decode/decoder.ts';
import {
  maxKeyLength,
  maxListMegabytes,
  readAudio,
  surveyList,
  type AudioList,
  type ListColumn,
  type ListSurvey,
  type Table,
} from '../common/audioList.ts';
import { digest } from '../../../base/digest.ts';
import { audioLabel, type ListMetadata } from '../common/bodyEdits.ts';
import { findUtf16 } from '../common/listEncoding.ts';
import { parseList } from '../node/parseTable.ts';
import {
  pickOne,
  pickSeveral,
  plainLabel,
  type Choice,
  type PickAnswer,
  type PickStep,
} from '../../../platform/editor/quickPick.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { maskAddresses } from '../../../base/webAddress.ts';
import { readText } from '../../../language/editor/requestDocuments.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import type { Submissions } from './submissions.ts';

/** A list of audio URLs, and the metadata that its requests get. */
export interface ChosenList {
  /** Each row has the metadata of all columns; {@link metadata} selects from them. */
  readonly list: AudioList;
  /** The list's file; undefined for the clipboard. */
  readonly uri: vscode.Uri | undefined;
  readonly metadata: ListMetadata;
  /** Headings of the columns that are not used. */
  readonly unused: readonly string[];
}

/** Lists by the ids of this window's batches: the user need not select them again. */
const listsOfBatches = new WeakMap<Submissions, BoundedMap<string, ChosenList>>();
/** More batches than anyone leaves open. */
const maxLists = 10;

/** Remembers the list of a batch while the window is open: audio URLs are not stored. */
export function rememberList(submissions: Submissions, batch: string, chosen: ChosenList): void {
  const lists = listsOfBatches.get(submissions) ?? new BoundedMap<string, ChosenList>(maxLists);
  lists.set(batch, chosen);
  listsOfBatches.set(submissions, lists);
}

/** Returns the list of a batch that was selected in this window. */
export function rememberedList(submissions: Submissions, batch: string): ChosenList | undefined {
  return listsOfBatches.get(submissions)?.get(batch);
}

/** Files with lists by the paths of the templates that were created for them: a path stays the same when its file is saved. */
const waitingLists = new WeakMap<Submissions, BoundedMap<string, vscode.Uri>>();

/** Remembers the list that a template was created for. */
export function rememberWaitingList(submissions: Submissions, template: vscode.Uri, list: vscode.Uri): void {
  const lists = waitingLists.get(submissions) ?? new BoundedMap<string, vscode.Uri>(maxLists);
  lists.set(template.path, list);
  waitingLists.set(submissions, lists);
}

export function forgetWaitingList(submissions: Submissions, template: vscode.Uri): void {
  waitingLists.get(submissions)?.delete(template.path);
}

/**
 * Opens the list that a template was created for; undefined if there is none.
 * @throws UserError as {@link openList}; then the list is forgotten
 */
export async function openWaitingList(submissions: Submissions, template: vscode.Uri): Promise<OpenedList | undefined> {
  const list = waitingLists.get(submissions)?.get(template.path);
  if (list === undefined) return undefined;
  forgetWaitingList(submissions, template);
  const opened = await openList(submissions, list);
  rememberWaitingList(submissions, template, list);
  return opened;
}

/** Workspace state key: what was last chosen for lists with the same headings, the latest last. The number is the version. */
const columnChoicesKey = 'listColumns.1';
/** Maximum numbers of headings, and of columns of a list, that are remembered. */
const [maxChoices, maxKeys] = [20, 100];
const decodeColumnChoice = record({
  /** Digest of the headings. */
  headings: shortText(64),
  /** Index of the column with the URLs. */
  url: integer(0),
  keys: list(shortText(maxKeyLength), maxKeys),
  hasFileName: flag,
});
type ColumnChoice = Decoded<typeof decodeColumnChoice>;
const decodeColumnChoices = list(decodeColumnChoice, maxChoices);

function headingsOf({ table, survey: { headingsAt } }: OpenedList): string {
  return digest(JSON.stringify(table.rows[headingsAt] ?? []));
}

function columnChoices({ services }: Submissions): readonly ColumnChoice[] {
  const stored = attempt(decodeColumnChoices, services.workspaceState.get(columnChoicesKey));
  return stored instanceof Undecodable ? [] : stored;
}

async function rememberColumns(submissions: Submissions, choice: ColumnChoice): Promise<void> {
  if (choice.keys.length > maxKeys) return;
  const others = columnChoices(submissions).filter(({ headings }) => headings !== choice.headings);
  await submissions.services.workspaceState.update(columnChoicesKey, [...others, choice].slice(-maxChoices));
}

/** A list whose columns are known, but not yet their use. */
export interface OpenedList {
  readonly table: Table;
  readonly survey: ListSurvey;
  readonly uri: vscode.Uri | undefined;
}

/** The answer to a step about columns. */
export type ColumnAnswer<T> = Exclude<PickAnswer<T>, { readonly type: 'button' }>;

type Origin =
  { readonly type: 'file' } | { readonly type: 'clipboard' } | { readonly type: 'open'; readonly uri: vscode.Uri };

/**
 * Lets the user select a list of audio URLs: text with one per line, or a table. Undefined when the user cancels.
 * @param use lets the user select its columns, or uses those of an earlier batch.
 * @param question if it is not about a new batch.
 * @throws UserError if it has no URL, or URLs of it may be lost or cut
 */
export async function chooseAudioList(
  submissions: Submissions,
  template: vscode.Uri,
  use: (opened: OpenedList) => Promise<ColumnAnswer<ChosenList>>,
  question: Partial<Pick<PickStep<Origin>, 'title' | 'placeholder'>> = {},
): Promise<ChosenList | undefined> {
  for (;;) {
    const origin = await pickOne<Origin>({
      title: vscode.l10n.t('Submit a List of Audio URLs'),
      placeholder: vscode.l10n.t('Where are the URLs?'),
      ...question,
      choices: [
        { label: `$(folder-opened) ${vscode.l10n.t('Choose a Text or CSV File…')}`, value: { type: 'file' } },
        { label: `$(clippy) ${vscode.l10n.t('From the Clipboard')}`, value: { type: 'clipboard' } },
        ...openLists(template).map((uri) => ({
          label: `$(file) ${plainLabel(posix.basename(uri.path))}`,
          description: vscode.l10n.t('open in an editor'),
          value: { type: 'open', uri } as const,
        })),
      ],
      canGoBack: false,
    });
    if (origin.type !== 'picked') return undefined;
    const opened = await openOrigin(submissions, origin.value);
    const answer = opened === undefined ? ({ type: 'back' } as const) : await use(opened);
    if (answer.type === 'picked') return answer.value;
    if (answer.type !== 'back') return undefined;
  }
}

async function openOrigin(submissions: Submissions, origin: Origin): Promise<OpenedList | undefined> {
  switch (origin.type) {
    case 'open':
      return openList(submissions, origin.uri);
    case 'clipboard':
      return survey(submissions, await vscode.env.clipboard.readText(), undefined);
    case 'file': {
      const [uri] =
        (await vscode.window.showOpenDialog({ filters: { [vscode.l10n.t('Lists')]: ['txt', 'csv', 'tsv'] } })) ?? [];
      return uri && openList(submissions, uri);
    }
  }
}

/**
 * Opens the list in a file, or in the editor that shows it.
 * @throws UserError if it cannot be read, has no URL, or URLs of it may be lost or cut
 */
export async function openList(submissions: Submissions, uri: vscode.Uri): Promise<OpenedList> {
  return survey(submissions, await readText(uri, { maxMegabytes: maxListMegabytes, encodingOf: findUtf16 }), uri);
}

const givenAddresses = record({ addresses: list(text) });

/**
 * Returns the list in the arguments of a command, for example after a paste; undefined if there is none.
 * @throws UserError if it contains no web address
 */
export async function givenList(submissions: Submissions, given: readonly unknown[]): Promise<OpenedList | undefined> {
  for (const each of given) {
    const decoded = attempt(givenAddresses, each);
    if (decoded instanceof Undecodable) continue;
    const table: Table = { rows: decoded.addresses.map((address) => [address]), delimiter: '', problem: undefined };
    const surveyed = await new WorkSlices().run(surveyList(table, submissions.services.settings.get('labelKeys')));
    if (surveyed.columns.some(({ urls }) => urls > 0)) return { table, survey: surveyed, uri: undefined };
    throw new UserError(vscode.l10n.t('No audio URL (http or https) was given.'));
  }
  return undefined;
}

/** @throws UserError if the text has no URL, or URLs of it may be lost or cut */
async function survey(submissions: Submissions, content: string, uri: vscode.Uri | undefined): Promise<OpenedList> {
  const { l10n } = vscode;
  const table = await parseList(content, uri && posix.extname(uri.path).slice(1).toLowerCase());
  const surveyed = await new WorkSlices().run(surveyList(table, submissions.services.settings.get('labelKeys')));
  const { columns, problem } = surveyed;
  if (problem !== undefined) {
    // The editor truncates a message without buttons after one line.
    const open = uri && { title: l10n.t('Open List'), run: () => vscode.window.showTextDocument(uri) };
    throw new UserError(`${nameOf(uri)}: ${problem}`, open ? [open] : []);
  }
  if (columns.some(({ urls }) => urls > 0)) return { table, survey: surveyed, uri };
  throw new UserError(
    uri === undefined
      ? l10n.t('The clipboard has no audio URL (http or https).')
      : l10n.t('"{0}" has no audio URL (http or https).', nameOf(uri)),
  );
}

/**
 * Lets the user select what becomes of the columns of a list.
 * @param canGoBack to the step before.
 */
export async function chooseColumns(
  submissions: Submissions,
  opened: OpenedList,
  canGoBack: boolean,
): Promise<ColumnAnswer<ChosenList>> {
  const isAlone = urlColumns(opened.survey).length === 1;
  const headings = headingsOf(opened);
  const last = columnChoices(submissions).find((each) => each.headings === headings);
  for (;;) {
    const column = await chooseUrlColumn(opened, canGoBack, last?.url);
    if (column.type !== 'picked') return column;
    const metadata = await chooseMetadata(submissions, opened, column.value, canGoBack || !isAlone, last);
    if (metadata.type === 'picked') {
      const { titleKey, metadataKeys: keys = [] } = metadata.value;
      const hasFileName = titleKey !== undefined;
      await rememberColumns(submissions, { headings, url: column.value.index, keys, hasFileName });
      return { type: 'picked', value: await makeList(opened, column.value, metadata.value) };
    }
    if (metadata.type === 'closed' || isAlone) return metadata;
  }
}

/** Uses the recognised columns of a list. For lists of an earlier batch, which has its own metadata. */
export async function useColumnsAgain(opened: OpenedList): Promise<ColumnAnswer<ChosenList>> {
  const column = await chooseUrlColumn(opened, false);
  if (column.type !== 'picked') return column;
  return { type: 'picked', value: await makeList(opened, column.value, { metadataKeys: usualKeys(opened) }) };
}

/**
 * Reads the list of an earlier batch again.
 * @throws UserError if it cannot be read, has no URL, or URLs of it may be lost or cut
 */
export async function readListAgain(submissions: Submissions, uri: vscode.Uri): Promise<ChosenList | undefined> {
  const answer = await useColumnsAgain(await openList(submissions, uri));
  return answer.type === 'picked' ? answer.value : undefined;
}

/** Returns the columns with URLs, the one that is proposed first. */
function urlColumns({ columns }: ListSurvey): readonly ListColumn[] {
  return columns.filter(({ urls }) => urls > 0).toSorted((a, b) => b.urls - a.urls || a.index - b.index);
}

function usualKeys({ survey: { columns } }: OpenedList): readonly string[] {
  return columns.flatMap(({ key, isRecognised }) => (key !== undefined && isRecognised ? [key] : []));
}

/** @param last index of the column that was chosen last */
async function chooseUrlColumn(
  { survey, uri }: OpenedList,
  canGoBack: boolean,
  last?: number,
): Promise<ColumnAnswer<ListColumn>> {
  const columns = urlColumns(survey);
  const [first] = columns;
  if (first !== undefined && columns.length === 1) return { type: 'picked', value: first };
  const choices = columns.map((column) => ({
    label: plainLabel(nameOfColumn(column)),
    description: vscode.l10n.t('{0} URLs', column.urls),
    detail: describeSample(column.sample),
    value: column,
  }));
  const answer = await pickOne<ListColumn>({
    title: vscode.l10n.t('Which column has the audio URLs?'),
    placeholder: nameOf(uri),
    choices,
    active: choices.find(({ value }) => value.index === last),
    canGoBack,
  });
  return withoutButton(answer);
}

/** None of these items has a button. */
function withoutButton<T>(answer: PickAnswer<T>): ColumnAnswer<T> {
  return answer.type === 'button' ? { type: 'closed' } : answer;
}

async function makeList(
  { table, survey, uri }: OpenedList,
  column: ListColumn,
  metadata: ListMetadata,
): Promise<ChosenList> {
  const others = survey.columns.filter((each) => each !== column);
  const keyed = new Map(others.flatMap(({ key, index }) => (key === undefined ? [] : [[key, index] as const])));
  const used = new Set(metadata.metadataKeys);
  return {
    list: await new WorkSlices().run(readAudio(table, survey, { url: column.index, metadata: keyed })),
    uri,
    metadata,
    unused: others.filter(({ key }) => key === undefined || !used.has(key)).map(nameOfColumn),
  };
}

function nameOfColumn({ heading, index }: ListColumn): string {
  return heading ?? vscode.l10n.t('Column {0}', index + 1);
}

function nameOf(uri: vscode.Uri | undefined): string {
  return uri === undefined ? vscode.l10n.t('The clipboard') : posix.basename(uri.path);
}

/** Lets the user select the columns that become metadata. @param last the last choice for these headings, which is proposed */
async function chooseMetadata(
  submissions: Submissions,
  { survey: { columns }, uri }: OpenedList,
  column: ListColumn,
  canGoBack: boolean,
  last: ColumnChoice | undefined,
): Promise<ColumnAnswer<ListMetadata>> {
  const { l10n } = vscode;
  const keys = submissions.services.settings.get('labelKeys');
  const titleKey = keys.includes('title') ? 'title' : keys[0];
  const others = columns.filter((each) => each !== column);
  const choices = others.map((each): Choice<ListColumn | 'fileName'> => ({
    label: plainLabel(nameOfColumn(each)),
    description: each.key === undefined ? whyNoKey(each) : describeKey(each.key, each.sample),
    value: each,
    isLocked: each.key === undefined,
  }));
  const fileNames: readonly Choice<ListColumn | 'fileName'>[] =
    titleKey === undefined
      ? []
      : [
          { label: '', kind: vscode.QuickPickItemKind.Separator },
          {
            label: l10n.t('File name of the audio'),
            description: describeKey(titleKey, audioLabel(column.sample).split('/').at(-1) ?? ''),
            detail: l10n.t('for jobs without another value of this name'),
            value: 'fileName',
          },
        ];
  const isProposed = (value: ListColumn | 'fileName'): boolean => {
    if (value === 'fileName') return last?.hasFileName === true;
    return last === undefined ? value.isRecognised : value.key !== undefined && last.keys.includes(value.key);
  };
  const picked = await pickSeveral<ListColumn | 'fileName'>({
    title: l10n.t('{0}: {1} URLs in "{2}"', nameOf(uri), column.urls, nameOfColumn(column)),
    placeholder: l10n.t('Select what becomes metadata; the rest is not used'),
    choices: [...choices, ...fileNames],
    selected: [...choices, ...fileNames].filter(({ value }) => value !== undefined && isProposed(value)),
    canGoBack,
  });
  const answer = withoutButton(picked);
  if (answer.type !== 'picked') return answer;
  return {
    type: 'picked',
    value: {
      titleKey: answer.value.includes('fileName') ? titleKey : undefined,
      metadataKeys: answer.value.flatMap((each) => (each === 'fileName' || each.key === undefined ? [] : [each.key])),
    },
  };
}

/** In characters. */
const maxSampleLength = 60;
/** In characters. */
const maxMasked = 2000;

function describeKey(key: string, sample: string): string {
  return `${plainLabel(`custom_metadata.${key}`)} · ${describeSample(sample)}`;
}

/** Returns the beginning of a cell. The query of a URL may be secret. */
function describeSample(sample: string): string {
  return plainLabel(oneLine(maskAddresses(sample.slice(0, maxMasked)), maxSampleLength));
}

function whyNoKey({ heading }: ListColumn): string {
  return heading === undefined
    ? vscode.l10n.t('not usable: no heading')
    : vscode.l10n.t('not usable: its heading is used by another column, or too long');
}

/** Returns the open documents that may be lists. */
function openLists(template: vscode.Uri): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments
    .filter(({ languageId, uri }) => ['plaintext', 'csv', 'tsv'].includes(languageId) && uri.scheme !== 'output')
    .filter(({ uri }) => ['file', 'untitled', 'vscode-remote', 'vscode-vfs'].includes(uri.scheme))
    .map(({ uri }) => uri)
    .filter((uri) => uri.toString() !== template.toString());
}
