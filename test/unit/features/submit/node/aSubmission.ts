import type { Submission } from '../../../../../src/jobs/common/submission.ts';
import type { NewSubmission } from '../../../../../src/jobs/node/journal/journal.ts';

/** A submission that this process is sending. */
export function aSubmission(changes: Partial<Submission> = {}): Submission {
  return {
    key: 'a',
    connection: 'Work',
    origin: 'https://api.example.com',
    sentAtMs: 0,
    expectedByMs: 45_000,
    sender: process.pid,
    file: 'file:///w/interview.transcription.json',
    bodyHash: 'body',
    audioHash: undefined,
    tag: undefined,
    batch: undefined,
    outcome: { type: 'sending' },
    ...changes,
  };
}

/** The same submission before the journal has stored it. */
export function aNewSubmission(changes: Partial<NewSubmission> = {}): NewSubmission {
  const {
    key: _key,
    connection: _connection,
    origin: _origin,
    sender: _sender,
    outcome: _outcome,
    ...rest
  } = aSubmission();
  return { ...rest, ...changes };
}
