import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { canonicalizeJson } from '../../../../src/base/json/formatJson.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

test('keys are sorted at every level, and the last of repeated keys is kept', () => {
  const text = canonicalizeJson('{"b":[{"d":1,"c":{}}],"a":null,"b":[true,{"z":[],"y":"\\u0041"}]}');
  assert.equal(text, '{\n  "a": null,\n  "b": [\n    true,\n    {\n      "y": "A",\n      "z": []\n    }\n  ]\n}');
});

for (const token of ['0.50', '1.0', '1e2', '-0.0010', '90071992547409931', '0.12345678901234567890', '1e999']) {
  test(`the number ${token} keeps its notation`, () => assert.equal(canonicalizeJson(token), token));
}

test('ten thousand levels do not exhaust the stack', () => {
  const deep = `${'['.repeat(10_000)}1${']'.repeat(10_000)}`;
  assert.equal(canonicalizeJson(deep).replaceAll(/\s/g, ''), deep);
});

test('property: the value is kept, and texts of the same value are equal', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(4), (value, indent) => {
      const text = canonicalizeJson(JSON.stringify(value, null, indent));
      assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
      assert.equal(canonicalizeJson(text), text);
    }),
    { numRuns: propertyRuns },
  );
});
