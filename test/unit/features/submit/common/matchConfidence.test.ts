import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dayMs, hourMs } from '../../../../../src/base/time.ts';
import {
  creationWindow,
  hasSameMetadata,
  isCertainlyOther,
  matchConfidence,
  needsSearch,
  type AudioMatch,
} from '../../../../../src/features/submit/common/matchConfidence.ts';
import { sameBodySent } from '../../../../../src/jobs/common/submission.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { aSubmission } from '../node/aSubmission.ts';
import { bareJob } from '../../../../support/builders/bareJob.ts';

const isAudio: AudioMatch = ({ audioHash }, url) => (audioHash === undefined ? undefined : audioHash === `#${url}`);

const sentAtMs = Date.UTC(2026, 10, 20, 12);
const mine = aSubmission({ sentAtMs, expectedByMs: sentAtMs + 45_000, audioHash: '#a' });
const tagged = { ...mine, tag: { key: 'tag', value: 'b7' } };

function job(fields: object, createdAtMs: number | undefined = sentAtMs + 1000): Job {
  return bareJob({ kind: 'pre-recorded', status: 'queued', createdAtMs, raw: JSON.stringify({ id: 'a', ...fields }) });
}

const ours = { custom_metadata: { tag: 'b7' } };
const sameAudio = { request_params: { audio_url: 'a' } };

for (const [name, submission, candidate, expected] of [
  ['the tag is proof, whatever the time', tagged, job(ours, 0), 'tag'],
  ['another tag is another submission', tagged, job({ custom_metadata: { tag: 'c8' }, ...sameAudio }), undefined],
  ['a service that drops metadata leaves the audio', tagged, job(sameAudio), 'audio'],
  ['without tag and audio a tagged one is not ours', tagged, job({}), undefined],
  ['the same audio in time', mine, job(sameAudio), 'audio'],
  ['the same audio as a file', mine, job({ file: { source: 'a' } }), 'audio'],
  ['other audio', mine, job({ request_params: { audio_url: 'b' } }), undefined],
  ['the same audio last week', mine, job(sameAudio, sentAtMs - 7 * 86_400_000), undefined],
  ['nothing but the time', mine, job({}), 'time'],
  ['a minute late', mine, job({}, sentAtMs + 105_000), 'time'],
  ['at the very end of the time', mine, job({}, sentAtMs + 165_000), 'time'],
  ['at its very beginning', mine, job({}, sentAtMs - 120_000), 'time'],
  ['just after it', mine, job({}, sentAtMs + 165_001), undefined],
  ['long after', mine, job({}, sentAtMs + 600_000), undefined],
  ['no time at all', mine, { ...job({}), createdAtMs: undefined }, undefined],
] as const) {
  test(`confidence: ${name}`, () => {
    assert.equal(matchConfidence(submission, candidate, creationWindow(submission, 0), isAudio), expected);
  });
}

test('the window uses the time of the service', () => {
  const window = creationWindow(mine, -hourMs);
  assert.equal(matchConfidence(mine, job({}, sentAtMs - hourMs), window, isAudio), 'time');
  assert.equal(matchConfidence(mine, job({}, sentAtMs), window, isAudio), undefined);
});

test('only a job that is older by a day, or has another tag or other audio, certainly belongs to another submission', () => {
  const window = creationWindow(tagged, 0);
  const isOther = (candidate: Job) => isCertainlyOther(tagged, candidate, window, isAudio);
  assert.ok(!isOther(job({}, window.fromMs - dayMs)), 'dates of services are wrong by hours');
  assert.ok(isOther(job(ours, window.fromMs - dayMs - 1)));
  assert.ok(!isOther(job({}, window.untilMs + dayMs)));
  assert.ok(!isOther(job(ours)) && isOther(job({ custom_metadata: { tag: 'c8' }, ...sameAudio })));
  assert.ok(!isOther(job(sameAudio)) && isOther(job({ request_params: { audio_url: 'b' } })));
  assert.ok(!isOther({ ...job({}), createdAtMs: undefined }));
});

test('the same body counts as sent while a job may exist, and for a day', () => {
  const at = (hoursAgo: number, outcome: typeof mine.outcome) =>
    aSubmission({ sentAtMs: sentAtMs - hoursAgo * 3_600_000, outcome });
  const accepted = { type: 'accepted', status: 201, id: 'x' } as const;
  const rejected = { type: 'rejected', code: 'rejected', status: 400, requestId: undefined } as const;
  const unknown = { type: 'unknown', code: 'timeout', lookedAtMs: undefined } as const;
  const all = [at(30, accepted), at(5, accepted), at(3, unknown), at(1, rejected)];
  assert.equal(sameBodySent(all, 'body', sentAtMs), all[2]);
  assert.equal(sameBodySent(all.slice(0, 1), 'body', sentAtMs), undefined);
  assert.equal(sameBodySent(all, 'another', sentAtMs), undefined);
});

test('metadata are equal in any order, and missing metadata equal nothing', () => {
  const candidate = job({ custom_metadata: { customer: 'acme', team: 'red' } });
  assert.ok(hasSameMetadata(candidate, '{ "team": "red", "customer": "acme" }'));
  assert.ok(!hasSameMetadata(candidate, '{"customer":"acme"}'));
  assert.ok(!hasSameMetadata(candidate, undefined));
  assert.ok(!hasSameMetadata(job({}), '{}'));
});

test('a job must be searched for again until a search came after the time in which it was created', () => {
  const needs = (lookedAtMs: number | undefined): boolean =>
    needsSearch({ ...mine, outcome: { type: 'unknown', code: undefined, lookedAtMs } });
  const { untilMs } = creationWindow(mine, 0);
  assert.deepEqual([undefined, sentAtMs, untilMs, untilMs + 1].map(needs), [true, true, true, false]);
  assert.equal(needsSearch({ ...mine, outcome: { type: 'accepted', status: 201, id: 'a' } }), false);
});
