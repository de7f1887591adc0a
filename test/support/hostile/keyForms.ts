/** A notation of a key. */
export interface KeyForm {
  readonly name: string;
  readonly write: (key: string) => string;
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const base64Of = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string => hexOf(text).replace(/../gu, '%$&');
const unicode = (text: string): string =>
  Array.from(text)
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The forms in which the key is masked. */
export const keyForms: readonly KeyForm[] = [
  { name: 'as it is', write: (key) => key },
  { name: 'lower case', write: (key) => key.toLowerCase() },
  { name: 'upper case', write: (key) => key.toUpperCase() },
  { name: 'in quotes and a sentence', write: (key) => `invalid key "${key}".` },
  { name: 'twice, joined', write: (key) => `${key}${key}` },
  { name: 'overlapping itself', write: (key) => `${key.slice(0, 5)}${key}${key.slice(-5)}` },
  { name: 'per cent', write: percent },
  { name: 'per cent, lower case', write: (key) => percent(key).toLowerCase() },
  { name: 'JSON escapes in a text', write: unicode },
  { name: 'base64', write: base64Of },
  { name: 'base64 without padding', write: (key) => base64Of(key).replace(/=+$/u, '') },
  { name: 'base64, one byte on', write: (key) => base64Of(`:${key}`) },
  { name: 'base64, two bytes on', write: (key) => base64Of(`u:${key}`) },
  { name: 'base64url', write: (key) => Buffer.from(key).toString('base64url') },
  { name: 'hex', write: hexOf },
  { name: 'hex, upper case', write: (key) => hexOf(key).toUpperCase() },
  {
    name: 'entities',
    write: (key) =>
      Array.from(key)
        .map((each) => `&#${each.charCodeAt(0)};`)
        .join(''),
  },
];

/** A recognizable key: each of its three parts of ten characters is found on its own, in any case. */
export const markedKey = 'tjk-Canary7Q3x-V9mK2pL8wN-4tZ6rB1yHd';
/** Another one, which shares no part with it. */
export const otherMarkedKey = 'tkj-Magpie5W8z-J3nR7cX2bQ-9fG4vT6sEk';

/** True if a text contains one of these keys in any form. */
export function holdsMarkedKey(text: string): boolean {
  return [markedKey, otherMarkedKey].some((key) => keyFormsIn(text, key).length > 0);
}

/**
 * The forms in which a text contains a key; empty if it does not. Finds the output of {@link keyForms}, also inside
 * JSON strings or with only some characters escaped, as well as each of the key's long parts.
 */
export function keyFormsIn(text: string, key: string = markedKey): readonly string[] {
  const texts = [text, text.replaceAll('\\\\', '\\').replaceAll('\\"', '"')];
  const found = keyForms.filter((form) => texts.some((each) => each.includes(kernel(form, key))));
  const decoded = unescaped(text).toLowerCase();
  const parts = key.split(/[^A-Za-z0-9]+/u).filter((part) => part.length >= 8 && decoded.includes(part.toLowerCase()));
  return [...found.map(({ name }) => name), ...parts.map((part) => `part ${part}`)];
}

/** The part of a written key that does not depend on the surrounding text: the ends of base64 do. */
function kernel({ write }: KeyForm, key: string): string {
  const text = write(key);
  return /^[A-Za-z0-9+/]+={0,2}$/u.test(text) && text !== key ? text.replace(/=+$/u, '').slice(4, -4) : text;
}

/** Resolves percent-encoding, JSON escapes and entities everywhere in a text. */
function unescaped(text: string): string {
  return text
    .replace(/%([0-9a-f]{2})|\\u([0-9a-f]{4})|&#x([0-9a-f]{1,4});/giu, (_, ...codes: readonly (string | undefined)[]) =>
      String.fromCharCode(Number.parseInt(codes.slice(0, 3).join(''), 16)),
    )
    .replace(/&#(\d{1,5});/gu, (_, code: string) => String.fromCharCode(Number(code)));
}
