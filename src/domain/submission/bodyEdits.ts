import { type JsonObject, isJsonObject } from '../json/json.ts';
import { parsePlacedJson } from '../request/json/placedJson.ts';
import { applyEdits, type TextEdit } from '../request/json/jsonPlaces.ts';
import { parseUrl } from '../webAddress.ts';
import type { ListedAudio } from './audioList.ts';
import type { CorrelationTag } from './submission.ts';

/**
 * Adds a tag to a body's `custom_metadata`; all other characters are unchanged. Undefined when that is not possible: the
 * metadata is not an object, or already has this key.
 * @param body JSON text of a request.
 */
export function withTag(body: string, tag: CorrelationTag): string | undefined {
  const { value, places } = parsePlacedJson(body);
  if (!isJsonObject(value)) return undefined;
  const pair = `${JSON.stringify(tag.key)}:${JSON.stringify(tag.value)}`;
  const insert = (offset: number, text: string, into: JsonObject): string => {
    const edit: TextEdit = { offset: offset + 1, length: 0, text: Object.keys(into).length === 0 ? text : `${text},` };
    return applyEdits(body, [edit]);
  };
  if (!Object.hasOwn(value, 'custom_metadata')) {
    return insert(places.range(0).offset, `"custom_metadata":{${pair}}`, value);
  }
  const metadata = value['custom_metadata'];
  if (!isJsonObject(metadata) || Object.hasOwn(metadata, tag.key)) return undefined;
  return insert(places.range(places.rowAt(['custom_metadata'])).offset, pair, metadata);
}

/**
 * Sets members of a body's `custom_metadata`; all other characters are unchanged. Undefined when that is not possible: the metadata is not
 * an object.
 */
export function withMetadata(body: string, values: Readonly<Record<string, string>>): string | undefined {
  let changed: string | undefined = body;
  for (const [key, value] of Object.entries(values)) {
    if (changed === undefined) return undefined;
    const { value: request, places } = parsePlacedJson(changed);
    const row = places.rowAt(['custom_metadata', key]);
    const metadata = isJsonObject(request) ? request['custom_metadata'] : undefined;
    const isThere = row >= 0 && isJsonObject(metadata) && Object.hasOwn(metadata, key);
    changed = isThere
      ? applyEdits(changed, [{ ...places.range(row), text: JSON.stringify(value) }])
      : withTag(changed, { key, value });
  }
  return changed;
}

/** Replaces the `audio_url` of a body; all other characters are unchanged. Undefined when the body is not an object. */
export function withAudioUrl(body: string, url: string): string | undefined {
  const { value, places } = parsePlacedJson(body);
  if (!isJsonObject(value)) return undefined;
  const row = places.rowAt(['audio_url']);
  if (row >= 0) return applyEdits(body, [{ ...places.range(row), text: JSON.stringify(url) }]);
  const comma = Object.keys(value).length === 0 ? '' : ',';
  const member = `"audio_url":${JSON.stringify(url)}${comma}`;
  return applyEdits(body, [{ offset: places.range(0).offset + 1, length: 0, text: member }]);
}

/** A short label for an audio URL, without its query, which may be secret: "files.example.com/…/call.wav". */
export function audioLabel(audioUrl: string): string {
  const url = parseUrl(audioUrl);
  if (!url) return '';
  const { host, pathname } = url;
  const steps = pathname.split('/').filter((step) => step !== '');
  return [host, ...(steps.length > 1 ? ['…'] : []), ...steps.slice(-1)].join('/');
}

/** Which metadata the requests of a list get. */
export interface ListMetadata {
  /** Key of `custom_metadata` that gets the file name of each audio; undefined for none. */
  readonly titleKey?: string | undefined;
  /** Keys of `custom_metadata` that are taken from the list; by default all that it has. */
  readonly metadataKeys?: readonly string[] | undefined;
}

/** The text of a request of a list: its template with the audio and the metadata of a row. Undefined when it cannot take metadata. */
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

/** A body with the audio's file name in its metadata; as it is where that is not possible. */
export function withTitle(body: string, url: string, key: string | undefined): string {
  const value = audioLabel(url).split('/').at(-1) ?? '';
  return (key === undefined || value === '' ? undefined : withTag(body, { key, value })) ?? body;
}
