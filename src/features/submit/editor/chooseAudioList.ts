import { posix } from 'node:path';
import * as vscode from 'vscode';
import { attempt, list, record, text, Undecodable } from '../../../base/decode/decoder.ts';
import { audioColumns, audioInColumn, describeTableProblem, lineRows, type AudioList } from '../common/audioList.ts';
import { parseTable } from '../node/parseTable.ts';
import { pickOne, plainLabel, type PickStep } from '../../../platform/editor/quickPick.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readText } from '../../../language/editor/requestDocuments.ts';
import { BoundedMap } from '../../../base/boundedMap.ts';
import type { Submissions } from './submissions.ts';

/** A list of audio URLs. */
export interface ChosenList {
  readonly list: AudioList;
  /** The list's file; undefined for the clipboard. */
  readonly uri: vscode.Uri | undefined;
}

/** Lists by the ids of this window's batches: the user need not select them again. */
const listsOfBatches = new WeakMap<Submissions, BoundedMap<string, ChosenList>>();
/** More batches than anyone leaves open. */
const maxLists = 10;

/** Remembers the list of a batch while the window is open: audio URLs are not stored. */
export function rememberList(submissions: Submissions, batch: string, list: ChosenList): void {
  const lists = listsOfBatches.get(submissions) ?? new BoundedMap<string, ChosenList>(maxLists);
  lists.set(batch, list);
  listsOfBatches.set(submissions, lists);
}

/** Returns the list of a batch that was selected in this window. */
export function rememberedList(submissions: Submissions, batch: string): ChosenList | undefined {
  return listsOfBatches.get(submissions)?.get(batch);
}

type Origin =
  { readonly type: 'file' } | { readonly type: 'clipboard' } | { readonly type: 'open'; readonly uri: vscode.Uri };

/**
 * Lets the user select a list of audio URLs: text with one per line, or a table. Undefined when the user cancels.
 * @param question if it is not about a new batch.
 * @throws UserError if it has no URL, or URLs of it may be lost or cut
 */
export async function chooseAudioList(
  template: vscode.Uri,
  question: Partial<Pick<PickStep<Origin>, 'title' | 'placeholder'>> = {},
): Promise<ChosenList | undefined> {
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
  switch (origin.value.type) {
    case 'open':
      return readAudioList(origin.value.uri);
    case 'clipboard':
      return withColumn(await vscode.env.clipboard.readText(), undefined);
    case 'file': {
      const [uri] =
        (await vscode.window.showOpenDialog({ filters: { [vscode.l10n.t('Lists')]: ['txt', 'csv', 'tsv'] } })) ?? [];
      return uri && readAudioList(uri);
    }
  }
}

/**
 * Reads a list from its file, or from the editor that has it open.
 * @throws UserError if it cannot be read, has no URL, or URLs of it may be lost or cut
 */
export async function readAudioList(uri: vscode.Uri): Promise<ChosenList | undefined> {
  return withColumn(await readText(uri), uri);
}

const givenAddresses = record({ addresses: list(text) });

/**
 * Returns the list in the arguments of a command, for example after a paste; undefined if there is none.
 * @throws UserError if it contains no web address
 */
export function givenList(given: readonly unknown[]): ChosenList | undefined {
  for (const each of given) {
    const decoded = attempt(givenAddresses, each);
    if (decoded instanceof Undecodable) continue;
    const rows = decoded.addresses.map((address) => [address]);
    const listed = audioInColumn(rows, 0);
    if (listed.audio.length === 0) throw new UserError(vscode.l10n.t('No audio URL (http or https) was given.'));
    return { list: listed, uri: undefined };
  }
  return undefined;
}

async function withColumn(text: string, uri: vscode.Uri | undefined): Promise<ChosenList | undefined> {
  const { l10n } = vscode;
  const name = uri && posix.basename(uri.path);
  const rows = isTable(text, uri) ? await tableRows(text, uri) : lineRows(text);
  const columns = audioColumns(rows);
  const [first, ...others] = columns;
  if (first === undefined) {
    throw new UserError(
      name === undefined
        ? l10n.t('The clipboard has no audio URL (http or https).')
        : l10n.t('"{0}" has no audio URL (http or https).', name),
    );
  }
  let { index } = first;
  if (others.length > 0) {
    const answer = await pickOne<number>({
      title: vscode.l10n.t('Which column has the audio URLs?'),
      placeholder: name ?? l10n.t('The clipboard'),
      choices: columns.map((column) => ({
        label: plainLabel(column.name ?? vscode.l10n.t('Column {0}', column.index + 1)),
        description: vscode.l10n.t('{0} URLs', column.urls),
        value: column.index,
      })),
      canGoBack: false,
    });
    if (answer.type !== 'picked') return undefined;
    index = answer.value;
  }
  return { list: audioInColumn(rows, index), uri };
}

/** @throws UserError if URLs of the table may be lost or cut */
async function tableRows(text: string, uri: vscode.Uri | undefined): Promise<readonly (readonly string[])[]> {
  const table = await parseTable(text, uri !== undefined && /\.tsv$/i.test(uri.path) ? '\t' : undefined);
  const problem = describeTableProblem(table);
  if (problem === undefined) return table.rows;
  throw new UserError(`${uri === undefined ? vscode.l10n.t('The clipboard') : posix.basename(uri.path)}: ${problem}`);
}

/**
 * True if a text is a table. Spreadsheets copy and save tab-separated text; in other texts a comma may belong to a URL, unless the first
 * line has headings. The first line of a text file may be a title.
 */
function isTable(text: string, uri: vscode.Uri | undefined): boolean {
  const [first = ''] = text.trimStart().split(/[\r\n]/u, 1);
  if (text.includes('\t') || /^"?sep=/iu.test(first)) return true;
  if (uri !== undefined && /\.[ct]sv$/iu.test(uri.path)) return true;
  const isHeaded = /[,;]/u.test(first) && !/https?:/iu.test(first);
  return isHeaded && (uri === undefined || first.includes('custom_metadata.'));
}

/** Returns the open documents that may be lists. */
function openLists(template: vscode.Uri): readonly vscode.Uri[] {
  return vscode.workspace.textDocuments
    .filter(({ languageId, uri }) => ['plaintext', 'csv', 'tsv'].includes(languageId) && uri.scheme !== 'output')
    .filter(({ uri }) => ['file', 'untitled', 'vscode-remote', 'vscode-vfs'].includes(uri.scheme))
    .map(({ uri }) => uri)
    .filter((uri) => uri.toString() !== template.toString());
}
