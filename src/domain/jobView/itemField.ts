import { t } from '@vscode/l10n';
import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { memberTexts } from '../jsonText/jsonText.ts';
import type { ViewRow, ViewValue } from './jobView.ts';

/** An object of an item, parsed and as it came: the text keeps what parsing loses (digits beyond a double, repeated keys). */
export interface ItemObject {
  readonly value: JsonObject;
  readonly text: string;
}

/** Shows a value of the expected type; undefined when it is of another. */
export type Format = (value: JsonValue) => ViewValue | undefined;

export const missing: ViewValue = { type: 'missing' };

/**
 * The row of one known field. Absent and null are a dash; a value of an unexpected type is shown as it came, with a remark.
 * @param path dotted: `language_config.languages`.
 */
export function fieldRow(object: ItemObject, path: string, label: string, format: Format): ViewRow {
  const plain = { id: path, label, named: false, remark: undefined, action: undefined };
  const found = valueAt(object.value, path);
  if (found === undefined || found === null) return { ...plain, value: missing };
  const value = format(found);
  if (value !== undefined) return { ...plain, value };
  return { ...plain, value: { type: 'json', json: textAt(object.text, path) }, remark: t('Not the expected type') };
}

/** The value at a dotted path; undefined when something on the way is no object or has no such member. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = object;
  for (const key of path.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** The JSON text at a dotted path; `null` where there is none. */
export function textAt(objectText: string, path: string): string {
  let at: string | undefined = objectText;
  for (const key of path.split('.')) {
    at = memberTexts(at ?? '').findLast((member) => member.key === key)?.text;
  }
  return at ?? 'null';
}
