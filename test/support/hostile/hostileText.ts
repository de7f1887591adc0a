import fc from 'fast-check';
import { anyCharacter } from '../anyCharacter.ts';

/** Pieces of text known to forge, hide or reorder text. */
const attacks = [
  '\r\n',
  '\n',
  '\r',
  '\u0085',
  '\u2028',
  '\u2029',
  '\v',
  '\f',
  '\0',
  '\t',
  '\u0007',
  '\u001b[2J',
  '\u001b]8;;https://evil.example\u0007',
  '\u009b31m',
  '\u202e',
  '\u2066',
  '\u2069',
  '\u200b',
  '\u200f',
  '\u00ad',
  '\u061c',
  '\ufeff',
  '\u{e0041}',
  '\ud800',
  '\udc00',
  '::error file=a.ts::',
  '::stop-commands::x',
  '##[error]',
  '##vso[task.setvariable]',
  '](command:x)',
  '[a](1)',
  '=1+1',
  '2026-11-22 10:00:00.000 [info] ',
  'a.json:1:1: error: ',
  '%0A',
  ' '.repeat(500),
  '\u00a0'.repeat(50),
  'e\u0301',
  'می\u200cخواهم',
  '👩\u200d💻',
] as const;

/** Text as an attacker or a faulty service might send it. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...attacks),
      fc.string({ unit: anyCharacter, maxLength: 20 }),
      fc.string({ maxLength: 40 }),
    ),
    {
      maxLength: 12,
    },
  )
  .map((pieces) => pieces.join(''));

/** Characters that may not appear in a line. */
export const disturbingInLine = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u;
