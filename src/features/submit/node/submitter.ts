import { randomUUID } from 'node:crypto';
import type { Failure } from '../../../base/failure.ts';
import type { PostAnswer } from '../../../base/postOutcome.ts';
import {
  type CorrelationTag,
  type JournalOwner,
  type Submission,
  type SubmissionOutcome,
  withVerdict,
  type SubmitOutcome,
} from '../../../jobs/common/submission.ts';
import type { RequestSink } from '../../../jobs/node/api/jobsApi.ts';
import { withTag } from '../common/bodyEdits.ts';
import type { Journal } from '../../../jobs/node/journal/journal.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import { digest } from '../../../base/digest.ts';
import type { Clock } from '../../../base/clock.ts';

/** The target of a request, fixed before the user confirms. */
export interface Destination {
  /** The name and base URL that the user has configured. */
  readonly connection: JournalOwner & Pick<Connection, 'timeoutSeconds'>;
  readonly sink: RequestSink;
}

/** A request that was checked and may be sent. */
export interface OutgoingRequest {
  /** URI of its file. */
  readonly file: string;
  /** The JSON text to send, without the tag. */
  readonly body: string;
  readonly audioUrl: string | undefined;
  readonly batch?: string;
  /** Label of the request if its file does not name it. */
  readonly label?: string;
  /** Id of the failed job that it repeats. */
  readonly replaces?: string;
}

/** Result of one submission. */
export interface SubmitResult {
  readonly submission: Submission;
  /** Reason why it was not accepted, including the service's message. */
  readonly failure: Failure | undefined;
}

/** The submission could not be recorded, and therefore was not sent. */
export class JournalUnwritable extends Error {
  override readonly name = 'JournalUnwritable';
}

/** True if an error or its cause means that the submission could not be recorded. */
export function isUnsent(error: unknown): boolean {
  return error instanceof JournalUnwritable || (error instanceof Error && error.cause instanceof JournalUnwritable);
}

/** Time in addition to the request timeout: to read the key and to start the sample service. */
const graceMs = 15_000;

/** Maximum number of answers that are kept. */
const maxAnswers = 100;

/** Sends each request at most once and records it in the journal. */
export class Submitter {
  readonly #journal: Journal;
  readonly #clock: Pick<Clock, 'now'>;
  readonly #log: Log;
  readonly #audio: AudioHasher;
  /** By the keys of submissions, oldest first. The journal has none, because it has no bodies. */
  readonly #answers = new Map<string, PostAnswer>();

  /** @param audio hashes audio URLs for the journal. */
  constructor(journal: Journal, clock: Pick<Clock, 'now'>, log: Log, audio: AudioHasher = plainHash) {
    this.#journal = journal;
    this.#clock = clock;
    this.#log = log;
    this.#audio = audio;
  }

  /** Returns what the service answered to one of the last submissions of this window. */
  answerTo(submissionKey: string): PostAnswer | undefined {
    return this.#answers.get(submissionKey);
  }

  #keepAnswer(submissionKey: string, answer: PostAnswer): void {
    this.#answers.set(submissionKey, answer);
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= maxAnswers) break;
      this.#answers.delete(oldest);
    }
  }

  /**
   * Records the submission, sends one POST (contract 4.4) and records its outcome.
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
        expectedByMs: sentAtMs + connection.timeoutSeconds * 1000 + graceMs,
        file: request.file,
        bodyHash: digest(request.body),
        audioHash: request.audioUrl === undefined ? undefined : this.#audio.of(request.audioUrl),
        audioKeyId: request.audioUrl === undefined ? undefined : this.#audio.keyId,
        label: request.label,
        tag,
        batch: request.batch,
        replaces: request.replaces,
      });
    } catch (error) {
      throw new JournalUnwritable(error instanceof Error ? error.message : String(error), { cause: error });
    }
    const answer = await sink.submit(body, signal);
    if (answer.answer !== undefined) this.#keepAnswer(entry.key, answer.answer);
    const outcome = recorded(answer);
    const failure = answer.type === 'accepted' ? undefined : answer.failure;
    try {
      return { submission: await this.#journal.settle(connection, entry, outcome), failure };
    } catch (error) {
      // The entry remains `sending`, which later counts as unknown: less certain, but not wrong.
      this.#log.error(`journal: ${String(error)}`);
      return { submission: { ...entry, outcome }, failure };
    }
  }
}

interface AudioHasher {
  readonly keyId: string | undefined;
  of(url: string): string;
}

const plainHash: AudioHasher = { keyId: undefined, of: digest };

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
