import type { TextRange } from './textRange.ts';

/** Something that is not JSON: a name that jsonc-parser gives to parse errors, or `TooDeep`. */
export interface SyntaxProblem extends TextRange {
  readonly code: string;
}

/** A member whose name its object already has. The range is that of the name. */
export interface DuplicateKey extends TextRange {
  readonly key: string;
  readonly first: TextRange;
}
