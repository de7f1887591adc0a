import fc from 'fast-check';

/** The characters of a range of code points, without halves of surrogate pairs. */
function between(min: number, max: number): fc.Arbitrary<string> {
  return fc.integer({ min, max }).map((code) => String.fromCodePoint(code));
}

/**
 * Any character, control characters and those of other planes included, as `unit` of a string. fast-check's own
 * `binary` takes a second to make in each process, and hardly ever draws what ordinary texts have.
 */
export const anyCharacter: fc.Arbitrary<string> = fc.oneof(
  { weight: 3, arbitrary: between(0, 0x7f) },
  { weight: 2, arbitrary: between(0x80, 0x2fff) },
  between(0x3000, 0xd7ff),
  between(0xe000, 0xffff),
  between(0x10000, 0x10ffff),
);
