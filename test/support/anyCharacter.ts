import fc from 'fast-check';

/** Returns the characters of a range of code points, without halves of surrogate pairs. */
function between(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
}

/**
 * Any character, including control characters and other planes, as `unit` of a string. fast-check's own `binary` takes a second to create
 * in each process, and rarely draws characters of ordinary texts.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: between(0, 0x7f) },
  { weight: 2, arbitrary: between(0x80, 0x2fff) },
  between(0x3000, 0xd7ff),
  between(0xe000, 0xffff),
  between(0x10000, 0x10ffff),
);
