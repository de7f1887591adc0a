import type { JsonObject } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { parseJson } from '../request/json/parseJson.ts';
import { applyEdits, type TextEdit } from '../request/json/textRange.ts';
import type { CorrelationTag } from './submission.ts';

/**
 * The body with a tag in its `custom_metadata`; every other character stays. Undefined when there is no room for one: the
 * metadata is no object, or has a value of its own under that key.
 * @param body JSON text of a request.
 */
export function withTag(body: string, tag: CorrelationTag): string | undefined {
  const { value, places } = parseJson(body);
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
