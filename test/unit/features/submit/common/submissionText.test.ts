import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../../../src/base/failure.ts';
import type { Submission, SubmissionOutcome } from '../../../../../src/jobs/common/submission.ts';
import {
  submittedJobs,
  outcomeSentence,
  submittedName,
  unknownText,
} from '../../../../../src/features/submit/common/submissionText.ts';
import { assertLinear } from '../../../../support/hostile/linearTime.ts';

test('a submission is named after its audio, or else after its file', () => {
  const file = 'file:///work/A%20%26%20B/first%20call.transcription.json';
  assert.equal(submittedName({ file }), 'first call.transcription.json');
  assert.equal(submittedName({ file, label: 'audio.example/…/1.wav' }), 'audio.example/…/1.wav');
  assert.equal(submittedName({ file: 'untitled:minimal.transcription.json' }), 'minimal.transcription.json');
  assert.equal(submittedName({ file: 'file:///a/100%.json' }), '100%.json');
  assert.equal(submittedName({ file, label: 'two\nlines\u202e' }).includes('\n'), false);
});

test('the time to read a hostile file name is linear in its length', () => {
  assertLinear((text) => submittedName({ file: `${text}/a.json` }));
});

test('accepted jobs are named by id', () => {
  const sent = (file: string, outcome: SubmissionOutcome, label?: string): Submission => ({
    key: file,
    connection: 'Work',
    origin: 'https://api.example.com',
    sentAtMs: 0,
    expectedByMs: 0,
    sender: 1,
    file,
    bodyHash: '',
    audioHash: undefined,
    label,
    tag: undefined,
    batch: undefined,
    outcome,
  });
  const accepted = (id?: string): SubmissionOutcome => ({ type: 'accepted', status: 201, id });
  const jobs = submittedJobs([
    sent('file:///a/interview.transcription.json', accepted('one')),
    {
      ...sent('file:///a/template.transcription.json', accepted('two'), 'audio.example/…/call.wav'),
      batch: 'b',
      replaces: 'old',
    },
    sent('file:///a/template.transcription.json', accepted(), 'audio.example/…/other.wav'),
    sent('file:///a/gone.transcription.json', { type: 'unknown', code: undefined, lookedAtMs: undefined }),
  ]);
  assert.deepEqual(
    [...jobs],
    [
      ['one', { name: 'interview', isInBatch: false, replaces: undefined }],
      ['two', { name: 'call.wav', isInBatch: true, replaces: 'old' }],
    ],
  );
});

test('a connection that breaks after a request was sent is reported as lost, not unreachable', () => {
  const failure = new Failure('offline', { cause: 'ECONNRESET' });
  assert.equal(
    unknownText('a.transcription.json', failure),
    '"a.transcription.json" may or may not have become a job. The connection was lost before the service answered. It won\'t be resent automatically.',
  );
  assert.equal(
    outcomeSentence({ type: 'unknown', code: 'offline', lookedAtMs: undefined }),
    'A job may exist. The connection was lost before the service answered.',
  );
  assert.match(unknownText('a', new Failure('timeout')), /The service did not respond in time\. It won't/);
  assert.match(unknownText('a', new Failure('cancelled')), /It had already been sent when you canceled\. It won't/);
});

test('a request that was not sent is reported with an unreachable service', () => {
  assert.match(
    outcomeSentence({ type: 'notSent', code: 'offline' }),
    /^Nothing left this computer\. The service can't be reached/,
  );
});
