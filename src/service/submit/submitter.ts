import { randomUUID } from 'node:crypto';
import type { Failure } from '../../domain/failure.ts';
import {
  type CorrelationTag,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
  withVerdict,
} from '../../domain/submission/submission.ts';
import { withTag } from '../../domain/submission/bodyEdits.ts';
import type { Journal } from '../journal/journal.ts';
import { type Log, type RequestSink, type SubmitOutcome, digest } from '../ports.ts';
import type { Clock } from '../clock.ts';

/** The service that a request goes to, fixed before the user confirms. */
export interface Destination {
  /** As the user knows it. */
  readonly connection: JournalOwner;
  readonly sink: RequestSink;
}

/** A request that has passed the gate. */
export interface OutgoingRequest {
  /** URI of its file. */
  readonly file: string;
  /** JSON text, as it will be sent but for the tag. */
  readonly body: string;
  readonly audioUrl: string | undefined;
  /** What stands for that URL in the journal, where it is not for the submitter to say: in a batch that version 0.1.0 began. */
  readonly audioHash?: string;
  readonly batch?: string;
}

/** What became of one submission. */
export interface SubmitResult {
  readonly submission: Submission;
  /** Why it was not accepted, with the service's own words. */
  readonly failure: Failure | undefined;
}

/** The submission could not be written down, and so was not sent. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable';
}

/** Whether an error says that the submission could not be written down, by itself or as its cause. */
export function isUnsent(error: unknown): boolean {
  return error instanceof JournalUnwritable || (error instanceof Error && error.cause instanceof JournalUnwritable);
}

/** The time that a sender has beyond the request's own: to look up the key and to start the sample service. */
const graceMs = 15_000;

/** Sends requests, each at most once, and keeps the journal about them. */
export class Submitter {
  readonly #journal: Journal;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #requestTimeoutMs: () => number;
  readonly #hashAudio: (url: string) => string;

  /** @param hashAudio what stands for the URL of audio in the journal. */
  constructor(
    journal: Journal,
    clock: Pick<Clock, 'now'>,
    log: Log,
    requestTimeoutMs: () => number,
    hashAudio: (url: string) => string = digest,
  ) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
    this.#requestTimeoutMs = requestTimeoutMs;
    this.#hashAudio = hashAudio;
  }

  /**
   * Writes the submission down, sends one POST (contract 4.4) and writes down what became of it.
   * @param tagKey key of `custom_metadata` for a correlation tag; `''` for none.
   * @throws JournalUnwritable, before anything is sent.
   */
  async submit(
    { connection, sink }: Destination,
    request: OutgoingRequest,
    tagKey: string,
    signal: AbortSignal,
  ): Promise<SubmitResult> {
    const { body, tag } = tagged(request.body, tagKey);
    const sentAtMs = this.#clock.now();
    let entry: Submission;
    try {
      entry = await this.#journal.add(connection, {
        sentAtMs,
        expectedByMs: sentAtMs + this.#requestTimeoutMs() + graceMs,
        file: request.file,
        bodyHash: digest(request.body),
        audioHash:
          request.audioHash ?? (request.audioUrl === undefined ? undefined : this.#hashAudio(request.audioUrl)),
        tag,
        batch: request.batch,
      });
    } catch (error) {
      throw new JournalUnwritable(error instanceof Error ? error.message : String(error), { cause: error });
    }
    const answer = await sink.submit(body, signal);
    const outcome = recorded(answer);
    const failure = answer.type === 'accepted' ? undefined : answer.failure;
    try {
      return { submission: await this.#journal.settle(connection, entry, outcome), failure };
    } catch (error) {
      // The entry says "sending", which is read as unknown before long: less than the truth, but not against it.
      this.#log.error(`journal: ${String(error)}`);
      return { submission: { ...entry, outcome }, failure };
    }
  }
}

function tagged(body: string, key: string): { readonly body: string; readonly tag: CorrelationTag | undefined } {
  if (key === '') return { body, tag: undefined };
  const tag = { key, value: randomUUID() };
  const withIt = withTag(body, tag);
  return withIt === undefined ? { body, tag: undefined } : { body: withIt, tag };
}

function recorded(answer: SubmitOutcome): SubmissionOutcome {
  switch (answer.type) {
    case 'accepted':
      return { type: 'accepted', status: answer.status, id: answer.id };
    case 'rejected': {
      const { code, facts } = answer.failure;
      return withVerdict({ type: 'rejected', code, status: facts.status, requestId: facts.requestId });
    }
    case 'unknown':
      return { type: 'unknown', code: answer.failure.code, lookedAtMs: undefined };
    case 'notSent':
      return { type: 'notSent', code: answer.failure.code };
  }
}
