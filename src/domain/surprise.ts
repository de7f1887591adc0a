/**
 * Something in an answer that the contract does not lead one to expect. Collected by decoders, never thrown,
 * logged once per shape (`path` and `kind`), so that tolerance does not mean silence.
 */
export interface Surprise {
  /** Where, with array indexes left out: `items[].status`. */
  readonly path: string;
  readonly kind: 'missing' | 'null' | 'wrongType' | 'unknownField' | 'unknownValue' | 'unreadable';
}
