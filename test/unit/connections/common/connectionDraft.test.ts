import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { checkDraftField, draftFields, findFieldBehind } from '../../../../src/connections/common/connectionDraft.ts';
import { Failure, failureCodes } from '../../../../src/base/failure.ts';

describe('The inputs of Connect to a Service', () => {
  const fresh = { otherNames: ['Field'], hasKey: false };

  it('are checked by their own rules', () => {
    const typed = { baseUrl: 'HTTPS://x.example/', apiKeyHeader: 'X-Key', key: ' sesame ', name: ' Studio ' };
    assert.deepEqual(
      draftFields.map((field) => checkDraftField(field, typed[field], fresh)),
      ['https://x.example', 'x-key', 'sesame', 'Studio'].map((text) => ({ type: 'good', text })),
    );
    for (const field of draftFields) assert.equal(checkDraftField(field, '', fresh).type, 'bad', field);
    assert.equal(checkDraftField('name', 'field', fresh).type, 'bad');
  });

  it('may contain the URL of an endpoint, whose path is removed', () => {
    for (const [typed, text] of [
      ['https://x.example/v2/pre-recorded', 'https://x.example'],
      ['https://x.example/v2', 'https://x.example'],
      [' https://x.example/speech/v2/live/?limit=20 ', 'https://x.example/speech'],
      ['https://x.example/v2/transcription/abc#top', 'https://x.example'],
      ['https://x.example/v2/other', 'https://x.example/v2/other'],
      ['https://v2', 'https://v2'],
      ['https://x.example/v20', 'https://x.example/v20'],
    ] as const) {
      assert.deepEqual(checkDraftField('baseUrl', typed, fresh), { type: 'good', text }, typed);
    }
    assert.equal(checkDraftField('baseUrl', '/v2/pre-recorded', fresh).type, 'bad');
  });

  it('may leave the key empty if one is stored', () => {
    assert.deepEqual(checkDraftField('key', ' ', { ...fresh, hasKey: true }), { type: 'good', text: '' });
    assert.equal(checkDraftField('key', 'two words', { ...fresh, hasKey: true }).type, 'bad');
  });
});

describe('A connection that does not work', () => {
  it('leads back to the input that caused the failure', () => {
    const behind = Object.fromEntries(failureCodes.map((code) => [code, findFieldBehind(new Failure(code))]));
    assert.equal(behind['keyRejected'], 'key');
    for (const code of ['offline', 'tls', 'notFound', 'notJson', 'unexpectedShape', 'redirected']) {
      assert.equal(behind[code], 'baseUrl', code);
    }
    for (const code of ['timeout', 'rateLimited', 'serverFailed', 'proxy']) assert.equal(behind[code], 'name', code);
  });
});
