import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attempt, Undecodable } from '../../../../src/domain/decode/decoder.ts';
import { decodeSubmission } from '../../../../src/domain/submission/submission.ts';
import { aSubmission } from '../../../unit/service/submit/aSubmission.ts';

test('an entry without it, as version 0.1.0 wrote it, is read; a hostile one is not', () => {
  assert.equal(decodeSubmission(aSubmission()).replaces, undefined);
  for (const replaces of [5, {}, ['a']]) {
    assert.ok(attempt(decodeSubmission, { ...aSubmission(), replaces }) instanceof Undecodable);
  }
});
