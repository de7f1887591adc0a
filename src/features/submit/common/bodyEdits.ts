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

/**
 * Adds a tag to a body's `custom_metadata`; all other characters are unchanged. Undefined when that is impossible: the metadata is not an
 * object, or already has this key.
 * @param body JSON text of a request.
 */
export function withTag(body: string, { key, value }: CorrelationTag): string | undefined {
  const isTaken = findNode(parseJsonTree(body).root, ['custom_metadata', key]) !== undefined;
  return isTaken ? undefined : withMetadata(body, { [key]: value });
}

/**
 * Sets members of a body's `custom_metadata`; all other characters are unchanged. Undefined when that is impossible: the metadata is not an
 * object.
 */
export function withMetadata(body: string, values: Readonly<Record<string, string>>): string | undefined {
  const entries = Object.entries(values);
  if (entries.length === 0) return body;
  const { root } = parseJsonTree(body);
  const metadata = findNode(root, ['custom_metadata']);
  if (root?.type !== 'object' || (metadata && metadata.type !== 'object')) return undefined;
  const edits: TextEdit[] = [];
  const added: string[] = [];
  for (const [key, value] of entries) {
    const known = findNode(metadata, [key]);
    if (known) edits.push(replacement(known, value));
    else added.unshift(writeMember(key, JSON.stringify(value)));
  }
  const members = added.join(',');
  if (!metadata) edits.push(insertion(root, writeMember('custom_metadata', `{${members}}`)));
  else if (added.length > 0) edits.push(insertion(metadata, members));
  return applyEdits(body, edits);
}

/** Replaces the `audio_url` of a body; all other characters are unchanged. Undefined when the body is not an object. */
export function withAudioUrl(body: string, url: string): string | undefined {
  const { root } = parseJsonTree(body);
  if (root?.type !== 'object') return undefined;
  const known = findNode(root, ['audio_url']);
  return applyEdits(body, [
    known ? replacement(known, url) : insertion(root, writeMember('audio_url', JSON.stringify(url))),
  ]);
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
 * metadata.
 */
export function listedBody(
  template: string,
  { url, metadata }: Pick<ListedAudio, 'url' | 'metadata'>,
  { titleKey, metadataKeys }: ListMetadata,
): string | undefined {
  const taken = Object.fromEntries(
    Object.entries(metadata).filter(([key]) => metadataKeys === undefined || metadataKeys.includes(key)),
  );
  const body = withMetadata(withAudioUrl(template, url) ?? template, taken);
  return body === undefined ? undefined : withTitle(body, url, titleKey);
}

/** Adds the audio's file name to a body's metadata; returns the body unchanged if that is impossible. */
export function withTitle(body: string, url: string, key: string | undefined): string {
  const value = audioLabel(url).split('/').at(-1) ?? '';
  return (key === undefined || value === '' ? undefined : withTag(body, { key, value })) ?? body;
}
