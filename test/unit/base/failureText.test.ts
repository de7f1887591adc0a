import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { Failure, failureCodes, type FailureFacts } from '../../../src/base/failure.ts';
import { explainFailures, failureText } from '../../../src/base/failureText.ts';

suite('failureText', () => {
  for (const code of failureCodes) {
    test(`describes ${code} in a sentence, with a next step`, () => {
      const { sentence, nextStep } = failureText(new Failure(code));
      assert.match(sentence, /^[A-Z][^{}]*\.$/);
      if (code === 'cancelled') assert.equal(nextStep, undefined);
      else assert.match(nextStep ?? '', /^[A-Z][^{}]*\.$/);
      assert.doesNotMatch(`${sentence} ${nextStep ?? ''}`, /undefined|NaN/);
    });
  }

  test('describes each code differently', () => {
    const sentences = new Set(failureCodes.map((code) => failureText(new Failure(code)).sentence));
    assert.equal(sentences.size, failureCodes.length);
  });

  test('includes the message of the service', () => {
    const facts = { status: 422, serviceMessage: 'audio_url is no URL' };
    assert.equal(
      failureText(new Failure('rejected', facts)).sentence,
      'The service refused the request (status 422). The service says: audio_url is no URL',
    );
    assert.match(failureText(new Failure('keyRejected', facts)).sentence, /audio_url is no URL$/);
  });

  test('shows the beginning of a response that is not JSON', () => {
    const sentence = (facts: FailureFacts): string => failureText(new Failure('notJson', facts)).sentence;
    assert.equal(
      sentence({ serviceMessage: 'Please sign in' }),
      'The response is not JSON. It starts with: Please sign in',
    );
    const cut = failureText(new Failure('notJson', { serviceMessage: '{"first":"x","items":[{"id":"abc", "status":' }));
    assert.match(cut.sentence, /^The response is incomplete, or its JSON is invalid\. It starts with: \{"first"/);
    assert.match(cut.nextStep ?? '', /^Try again/);
    assert.match(sentence({ serviceMessage: '{{ template }}' }), /^The response is not JSON/);
    assert.equal(sentence({ cause: 'Z_BUF_ERROR' }), "The response can't be read (Z_BUF_ERROR).");
    assert.equal(sentence({ status: 200 }), 'The response is empty.');
  });

  test('shows the cause of a lost connection', () => {
    for (const code of ['offline', 'tls', 'redirected'] as const) {
      assert.match(failureText(new Failure(code, { cause: 'ENOTFOUND' })).sentence, /\(ENOTFOUND\)\.$/);
    }
  });

  test('shows when to retry', () => {
    // Rounded up to the next second, so that a retry at that time is not too early.
    const retryAtMs = Date.parse('2026-11-20T10:04:30.200Z');
    const time = new Date(Date.parse('2026-11-20T10:04:31Z')).toLocaleTimeString([], { timeStyle: 'medium' });
    for (const code of ['rateLimited', 'serverFailed'] as const) {
      assert.equal(failureText(new Failure(code, { retryAtMs })).nextStep, `Try again after ${time}.`);
    }
  });
});

test('the page of all codes shows each with its sentence, and emphasizes one', () => {
  const page = explainFailures('keyRejected');
  for (const code of failureCodes) assert.ok(page.includes(`\`${code}\``), code);
  assert.match(
    page,
    /^- \*\*`keyRejected`\*\* — \*\*The service rejected the API key\..*Transcription: Set API Key.*\*\*$/m,
  );
  assert.match(page, /^- `offline` — /m);
});
