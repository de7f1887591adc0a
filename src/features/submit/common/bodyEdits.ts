import {
  applyEdits,
  findNode,
  type JsonNode,
  parseJsonTree,
  type TextEdit,
} from '../../../language/requestLanguage.ts';
import { parseUrl } from '../../../base/webAddress.ts';
import type { ListedAudio } from './audioList.ts';
import type { CorrelationTag } from '../../../jobs/common/submission.ts';

/** A body from which requests are made; read once, because a list makes thousands of them. */
export interface Template {
  readonly body: string;
  readonly root: JsonNode | undefined;
}

/** @param body JSON text of a request */
export function readTemplate(body: string): Template {
  return { body, root: parseJsonTree(body).root };
}

/**
 * Adds a tag to a body's `custom_metadata`; all other characters are unchanged. Undefined when that is impossible: the metadata is not an
 * object, or already has this key.
 * @param body JSON text of a request.
 */
export function withTag(body: string, { key, value }: CorrelationTag): string | undefined {
  const template = readTemplate(body);
  return takesMetadata(template) && !hasMetadata(template, key)
    ? withMembers(template, undefined, [[key, value]])
    : undefined;
}

function takesMetadata({ root }: Template): boolean {
  const metadata = findNode(root, ['custom_metadata']);
  return root?.type === 'object' && (metadata === undefined || metadata.type === 'object');
}

function hasMetadata({ root }: Template, key: string): boolean {
  return findNode(root, ['custom_metadata', key]) !== undefined;
}

/** Sets the `audio_url` and members of the `custom_metadata` of a body that takes them; all other characters are unchanged. */
function withMembers(
  { body, root }: Template,
  url: string | undefined,
  metadata: readonly (readonly [key: string, value: string])[],
): string {
  if (root?.type !== 'object') return body;
  const edits: TextEdit[] = [];
  const added: string[] = [];
  const audio = findNode(root, ['audio_url']);
  if (url !== undefined && audio) edits.push(replacement(audio, url));
  else if (url !== undefined) added.push(writeMember('audio_url', JSON.stringify(url)));
  const own = findNode(root, ['custom_metadata']);
  const addedMetadata: string[] = [];
  for (const [key, value] of metadata) {
    const known = findNode(own, [key]);
    if (known) edits.push(replacement(known, value));
    else addedMetadata.unshift(writeMember(key, JSON.stringify(value)));
  }
  const members = addedMetadata.join(',');
  if (own && members !== '') edits.push(insertion(own, members));
  else if (members !== '') added.unshift(writeMember('custom_metadata', `{${members}}`));
  if (added.length > 0) edits.push(insertion(root, added.join(',')));
  return applyEdits(body, edits);
}

function replacement({ offset, length }: JsonNode, value: string): TextEdit {
  return { offset, length, text: JSON.stringify(value) };
}

/** Returns the edit that inserts members at the beginning of an object. */
function insertion({ offset, children }: JsonNode, members: string): TextEdit {
  return { offset: offset + 1, length: 0, text: children.length === 0 ? members : `${members},` };
}

function writeMember(key: string, value: string): string {
  return `${JSON.stringify(key)}:${value}`;
}

/** Returns a short label for an audio URL, without its query, which may be secret: "files.example.com/…/call.wav". */
export function audioLabel(audioUrl: string): string {
  const url = parseUrl(audioUrl);
  if (!url) return '';
  const { host, pathname } = url;
  const steps = pathname.split('/').filter((step) => step !== '');
  return [host, ...(steps.length > 1 ? ['…'] : []), ...steps.slice(-1)].join('/');
}

/** Metadata that the requests of a list get. */
export interface ListMetadata {
  /** Key of `custom_metadata` that gets the file name of each audio; undefined for none. */
  readonly titleKey?: string | undefined;
  /** Keys of `custom_metadata` that are taken from the list; defaults to all keys of the list. */
  readonly metadataKeys?: readonly string[] | undefined;
}

/**
 * Returns the text of a list's request: its template with the audio and the metadata of a row. Undefined if the template cannot take
 * metadata. The audio's file name is omitted if the template has another title, or cannot take one.
 */
export function listedBody(
  template: Template,
  { url, metadata }: Pick<ListedAudio, 'url' | 'metadata'>,
  { titleKey, metadataKeys }: ListMetadata,
): string | undefined {
  const taken = Object.entries(metadata).filter(([key]) => metadataKeys === undefined || metadataKeys.includes(key));
  if (!takesMetadata(template)) return taken.length === 0 ? withMembers(template, url, []) : undefined;
  const title = audioLabel(url).split('/').at(-1) ?? '';
  const isTitled =
    titleKey !== undefined &&
    title !== '' &&
    !hasMetadata(template, titleKey) &&
    taken.every(([key]) => key !== titleKey);
  return withMembers(template, url, isTitled ? [...taken, [titleKey, title]] : taken);
}
