import fc from 'fast-check';

/** JSON texts in several formats: minified, indented, with CRLF. */
export const jsonText: fc.Arbitrary<string> = fc
  .tuple(fc.jsonValue({ maxDepth: 4 }), fc.constantFrom('', ' ', '\t', '  '), fc.boolean())
  .map(([value, indent, crlf]) => withLineBreaks(JSON.stringify(value, null, indent), crlf));

/** Fragments that may or may not break JSON when inserted into it. */
export const morsel: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '"',
    '\\',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '//',
    '/*',
    '*/',
    '\n',
    '\r\n',
    ' ',
    '-',
    '.',
    'e',
    '0',
    '1',
  ),
  fc.constantFrom('null', '"a":', '"a": 1,', 'tru', '\uFEFF', '\u0000', '\uD800', '\\u12', '"__proto__": {},'),
  fc.string({ maxLength: 3 }),
);

/** A text, and the same text with a piece replaced. */
export const editedText = (text: fc.Arbitrary<string>): fc.Arbitrary<readonly [string, string]> =>
  fc.tuple(text, fc.nat(), fc.nat(6), morsel).map(([before, at, removed, added]) => {
    const offset = at % (before.length + 1);
    return [before, before.slice(0, offset) + added + before.slice(offset + removed)];
  });

function withLineBreaks(text: string, crlf: boolean): string {
  return crlf ? text.replaceAll('\n', '\r\n') : text;
}
