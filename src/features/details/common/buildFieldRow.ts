import { t } from '@vscode/l10n';
import { type JsonObject, type JsonValue, isJsonObject, toJsonNumber } from '../../../base/json/json.ts';
import { readMembers } from '../../../base/json/jsonText.ts';
import type { ViewRow, ViewValue, ViewMoment, ViewPart } from './jobView.ts';
import { parseDateTimeMs } from '../../../base/time.ts';
import { formatMoment, formatNumber, type Locale } from '../../../base/format.ts';

/**
 * Returns the row of one known field. Absent and null are shown as a dash; a value of an unexpected type is shown as received, with a
 * remark.
 * @param path dotted: `language_config.languages`.
 */
export function buildFieldRow(object: ItemObject, path: string, label: string, format: Format): ViewRow {
  const plain = { id: path, label, named: false, remark: undefined, action: undefined };
  const found = valueAt(object.value, path);
  if (found === undefined || found === null) return { ...plain, value: missing };
  // Keeps the number as written, because a double may lose digits.
  const value = format(typeof found === 'number' ? (toJsonNumber(memberText(object, path)) ?? found) : found);
  if (value !== undefined) return { ...plain, value };
  return { ...plain, value: { type: 'json', json: memberText(object, path) }, remark: t('Unexpected type') };
}

/** An object of an item, parsed and as text: the text preserves what parsing loses (digits beyond a double, repeated keys). */
export interface ItemObject {
  readonly value: JsonObject;
  readonly text: string;
}

/** Formats a value of the expected type; undefined for any other type. */
export type Format = (value: JsonValue) => ViewValue | undefined;

export const missing: ViewValue = { type: 'missing' };

/** Returns the value at a dotted path; undefined if a step is missing or not an object. */
export function valueAt(object: JsonObject, path: string): JsonValue | undefined {
  let at: JsonValue | undefined = object;
  for (const key of path.split('.')) {
    if (!isJsonObject(at) || !Object.hasOwn(at, key)) return undefined;
    at = at[key];
  }
  return at;
}

/** Returns the JSON text at a dotted path; `null` if there is none. */
export function textAt(objectText: string, path: string): string {
  let at: string | undefined = objectText;
  for (const key of path.split('.')) {
    at = readMembers(at ?? '').findLast((member) => member.key === key)?.text;
  }
  return at ?? 'null';
}

const membersOf = new WeakMap<ItemObject, ReadonlyMap<string, string>>();

/** Works like {@link textAt}, for an object that is read at many paths: its members are read once. */
export function memberText(object: ItemObject, path: string): string {
  const members = membersOf.get(object) ?? new Map(readMembers(object.text).map(({ key, text }) => [key, text]));
  membersOf.set(object, members);
  const [first = '', ...rest] = path.split('.');
  const text = members.get(first) ?? 'null';
  return rest.length === 0 ? text : textAt(text, rest.join('.'));
}

/** Formatters for the values of known fields. */
export interface Formats {
  /** A string from the service, verbatim. */
  readonly word: Format;
  /** An integer used as an identifier: a version, a code. */
  readonly plainNumber: Format;
  readonly number: Format;
  readonly hertz: Format;
  readonly bits: Format;
  readonly seconds: Format;
  readonly onOff: Format;
  readonly languages: Format;
  readonly moment: Format;
}

export function formatsFor(locale: Locale): Formats {
  const ofNumber =
    (show: (digits: string) => string, grouped = true): Format =>
    (value) => {
      if (JSON.isRawJSON(value)) return wordsValue(show(value.rawJSON));
      return typeof value === 'number' ? wordsValue(show(formatNumber(value, locale, grouped))) : undefined;
    };
  return {
    word: (value) => (typeof value === 'string' ? { type: 'text', text: value, verbatim: true } : undefined),
    plainNumber: ofNumber((digits) => digits, false),
    number: ofNumber((digits) => digits),
    hertz: ofNumber((digits) => t('{0} Hz', digits)),
    bits: ofNumber((digits) => t('{0} bit', digits)),
    seconds: ofNumber((digits) => t('{0} s', digits)),
    onOff: (value) => (typeof value === 'boolean' ? { type: 'switch', on: value } : undefined),
    languages: (value) => {
      if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return undefined;
      if (value.length === 0) return wordsValue(t('Not set: detected'));
      const names = new Intl.DisplayNames(locale.language, { type: 'language', fallback: 'none' });
      const shown = value.slice(0, maxLanguages).map((code) => languageText(code, names));
      const text = [...shown, ...(value.length > maxLanguages ? ['…'] : [])].join(', ');
      return { type: 'text', text, verbatim: true };
    },
    moment: (value) => {
      const atMs = typeof value === 'string' ? parseDateTimeMs(value) : undefined;
      return atMs === undefined ? undefined : { type: 'moment', ...buildMoment(atMs, locale) };
    },
  };
}

export function wordsValue(text: string): ViewValue {
  return { type: 'text', text, verbatim: false };
}

export function buildMoment(atMs: number, locale: Locale): ViewMoment {
  return { atMs, absolute: formatMoment(atMs, locale), iso: new Date(atMs).toISOString() };
}

/** Maximum number of languages, above that of any service. */
const maxLanguages = 200;

/** Returns a language's name with its code; only the code if it is unknown. */
function languageText(code: string, names: Intl.DisplayNames): string {
  try {
    const name = names.of(code);
    return name === undefined ? code : t('{0} ({1})', name, code);
  } catch {
    return code;
  }
}

/** Creates a part of a section with these rows. */
export function buildPart(id: string, title: string, rows: readonly ViewRow[]): ViewPart {
  return { id, title, rows, groups: [], switches: undefined, notes: [], remarks: [], members: undefined };
}
