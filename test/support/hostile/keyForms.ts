/** A way to write a key. */
export interface KeyForm {
  readonly name: string;
  /**
   * `plain`: unchanged or in another case. `encoded`: any decoder restores it. `altered`: a person must reconstruct it.
   */
  readonly kind: 'plain' | 'encoded' | 'altered';
  readonly write: (key: string) => string;
}

const hexOf = (text: string): string => Buffer.from(text).toString('hex');
const base64Of = (text: string): string => Buffer.from(text).toString('base64');
const percent = (text: string): string => hexOf(text).replace(/../gu, '%$&');
const unicode = (text: string): string =>
  Array.from(text)
    .map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('');

/** The ways in which services, proxies and traces are known to write a key, and some more. */
export const keyForms: readonly KeyForm[] = [
  { name: 'as it is', kind: 'plain', write: (key) => key },
  { name: 'lower case', kind: 'plain', write: (key) => key.toLowerCase() },
  { name: 'upper case', kind: 'plain', write: (key) => key.toUpperCase() },
  { name: 'in quotes and a sentence', kind: 'plain', write: (key) => `invalid key "${key}".` },
  { name: 'twice, joined', kind: 'plain', write: (key) => `${key}${key}` },
  { name: 'overlapping itself', kind: 'plain', write: (key) => `${key.slice(0, 5)}${key}${key.slice(-5)}` },
  { name: 'per cent', kind: 'encoded', write: percent },
  { name: 'per cent, lower case', kind: 'encoded', write: (key) => percent(key).toLowerCase() },
  { name: 'per cent of per cent', kind: 'encoded', write: (key) => encodeURIComponent(percent(key)) },
  { name: 'JSON escapes in a text', kind: 'encoded', write: unicode },
  { name: 'base64', kind: 'encoded', write: base64Of },
  { name: 'base64 without padding', kind: 'encoded', write: (key) => base64Of(key).replace(/=+$/u, '') },
  { name: 'base64, one byte on', kind: 'encoded', write: (key) => base64Of(`:${key}`) },
  { name: 'base64, two bytes on', kind: 'encoded', write: (key) => base64Of(`u:${key}`) },
  { name: 'base64url', kind: 'encoded', write: (key) => Buffer.from(key).toString('base64url') },
  { name: 'base64 of base64', kind: 'encoded', write: (key) => base64Of(base64Of(key)) },
  { name: 'hex', kind: 'encoded', write: hexOf },
  { name: 'hex, upper case', kind: 'encoded', write: (key) => hexOf(key).toUpperCase() },
  { name: 'hex with colons', kind: 'encoded', write: (key) => hexOf(key).replace(/..(?=.)/gu, '$&:') },
  {
    name: 'entities',
    kind: 'encoded',
    write: (key) =>
      Array.from(key)
        .map((each) => `&#${each.charCodeAt(0)};`)
        .join(''),
  },
  {
    name: 'numbers of characters',
    kind: 'altered',
    write: (key) =>
      Array.from(key)
        .map((each) => each.charCodeAt(0))
        .join(' '),
  },
  { name: 'reversed', kind: 'altered', write: (key) => Array.from(key).reverse().join('') },
  {
    name: 'in two parts',
    kind: 'altered',
    write: (key) => `${key.slice(0, key.length >> 1)} … ${key.slice(key.length >> 1)}`,
  },
  { name: 'with blanks', kind: 'altered', write: (key) => Array.from(key).join(' ') },
  { name: 'with invisible characters', kind: 'altered', write: (key) => Array.from(key).join('\u200b') },
  { name: 'over two lines', kind: 'altered', write: (key) => `${key.slice(0, 12)}\n${key.slice(12)}` },
  { name: 'all but its end', kind: 'altered', write: (key) => key.slice(0, -2) },
  {
    name: 'full width',
    kind: 'altered',
    write: (key) => key.replace(/[!-~]/gu, (each) => String.fromCharCode(each.charCodeAt(0) + 0xfee0)),
  },
];

/** A recognizable key: each of its three parts of ten characters is found on its own, in any case. */
export const markedKey = 'tjk-Canary7Q3x-V9mK2pL8wN-4tZ6rB1yHd';

/**
 * The forms in which a text contains a key; empty if it does not. Finds the output of {@link keyForms}, also inside
 * JSON strings, with only some characters escaped, or with everything but letters and digits removed, as well as each
 * of the key's long parts.
 */
export function keyFormsIn(text: string, key: string = markedKey): readonly string[] {
  const texts = [text, text.replaceAll('\\\\', '\\').replaceAll('\\"', '"')];
  const squeezed = squeeze(text);
  const found = keyForms.filter((form) => {
    if (form.kind === 'altered') return squeezed.includes(squeeze(form.write(key)));
    return texts.some((each) => each.includes(kernel(form, key)));
  });
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

function squeeze(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^a-z0-9]/gu, '');
}
