import { choice, number, optional, record, text, Undecodable, word, type Decoder } from '../decoder.ts';
import { failureCodes } from '../failure.ts';
import type { Submission, SubmissionOutcome } from './submission.ts';

/** Of the files of the journal. A file with a higher number was written by a later version and is left alone. */
export const journalSchema = 1;

const code = word(...failureCodes);

/** Reads what became of a submission. Throws {@link Undecodable}. */
export const decodeOutcome: Decoder<SubmissionOutcome> = choice({
  sending: {},
  accepted: { status: optional(number), id: optional(text) },
  rejected: { code, status: optional(number), requestId: optional(text) },
  unknown: { code: optional(code), lookedAtMs: optional(number) },
  notSent: { code },
});

/** Reads the parsed content of an entry. Throws {@link Undecodable}. */
export const decodeSubmission: Decoder<Submission> = record({
  key: text,
  connection: text,
  origin: text,
  sentAtMs: number,
  expectedByMs: number,
  sender: number,
  file: text,
  bodyHash: text,
  audioHash: optional(text),
  tag: optional(record({ key: text, value: text })),
  batch: optional(text),
  outcome: decodeOutcome,
});

/** The schema number that parsed content names. Throws {@link Undecodable} when there is none. */
export function schemaOf(value: unknown): number {
  const { schema } = record({ schema: number })(value);
  if (!Number.isInteger(schema) || schema < 1) throw new Undecodable('.schema: expected a positive whole number');
  return schema;
}
