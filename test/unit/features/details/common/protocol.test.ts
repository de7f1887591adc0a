import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { attempt, Undecodable } from '../../../../../src/base/decode/decoder.ts';
import { hostToPage, pageState, pageToHost } from '../../../../../src/features/details/common/protocol.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

for (const [message, expected] of [
  [
    { type: 'copy', what: 'curl', extra: 1 },
    { type: 'copy', what: 'curl' },
  ],
  [{ type: 'openJson' }, { type: 'openJson' }],
  [
    { type: 'openLink', url: 'https://x.example' },
    { type: 'openLink', url: 'https://x.example' },
  ],
] as const) {
  test(`${JSON.stringify(message)} is a message`, () => assert.deepEqual(pageToHost(message), expected));
}

for (const [message, why] of [
  [null, ': expected an object'],
  ['copy', ': expected an object'],
  [[], ': expected an object'],
  [{}, /^\.type: expected one of copy, /],
  [{ type: 'toString' }, /^\.type: expected one of/],
  [{ type: 'copy', what: 'key' }, '.what: expected one of id, requestId, link, json, curl'],
  [{ type: 'openLink', url: 7 }, '.url: expected a text'],
  [{ type: 'editErrorLabel', code: '500' }, '.code: expected a number'],
] as const) {
  test(`${JSON.stringify(message)} is rejected, and the reason contains none of its values`, () => {
    const result = attempt(pageToHost, message);
    assert.ok(result instanceof Undecodable);
    if (typeof why === 'string') assert.equal(result.message, why);
    else assert.match(result.message, why);
  });
}

test('the reason names a place deep in a message', () => {
  const view = {
    title: '',
    status: { tone: 'done', text: '' },
    kind: '',
    warnings: [],
    facts: [],
    sections: [{ id: 'raw', title: 'x', parts: [{ id: 'x', title: '', rows: [{}] }] }],
  };
  const result = attempt(hostToPage, { type: 'job', job: { connection: 'a', kind: 'b', id: 'c', side: false }, view });
  assert.ok(result instanceof Undecodable);
  assert.equal(result.message, '.view.sections[0].parts[0].rows[0].id: expected a text');
});

test('property: no value makes a decoder throw anything but Undecodable', () => {
  fc.assert(
    fc.property(fc.anything(), fc.constantFrom('copy', 'job', 'comparison', 'hello'), (value, type) => {
      for (const decode of [pageToHost, hostToPage, pageState]) {
        attempt<unknown>(decode, value);
        if (typeof value === 'object' && value !== null) attempt<unknown>(decode, { ...value, type });
      }
    }),
    { numRuns: propertyRuns },
  );
});
