import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  findMember,
  findMembers,
  hasMoreValues,
  omitMember,
  readElements,
  readMembers,
} from '../../../../src/base/json/jsonText.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

test('members keep their order, repetitions and every byte of their values', () => {
  assert.deepEqual(readMembers(' { "a" : 1.50 , "b\\u0022" : [ 1 , {"c":2} ],"a":"}\\""} '), [
    { key: 'a', text: '1.50' },
    { key: 'b"', text: '[ 1 , {"c":2} ]' },
    { key: 'a', text: '"}\\""' },
  ]);
});

test('a member is found without reading the rest, even if the text is incomplete', () => {
  const text = '{ "a": {"b": 1}, "b" : "x", "b": 2 }, rest';
  assert.equal(findMember(text, 'b'), text.indexOf('"x"'));
  assert.equal(findMember('{"a":1,"b":[', 'b'), 11);
  assert.equal(findMember(text, 'c'), undefined);
  assert.equal(findMember('[{"b":1}]', 'b'), undefined);
  assert.equal(findMember('', 'b'), undefined);
});

test('several members are found without reading the rest', () => {
  const found = findMembers('{"a":1,"b":{"a":2},"a":3, breaks off', ['b', 'a']);
  assert.deepEqual(
    [...found],
    [
      ['a', '1'],
      ['b', '{"a":2}'],
    ],
  );
  assert.deepEqual([...findMembers('{"a":1}', ['b'])], []);
});

test('values are counted in all levels, whatever is written between and within them', () => {
  const count = (value: unknown): number =>
    typeof value === 'object' && value !== null
      ? Object.values(value).reduce((sum: number, each) => sum + count(each), 1)
      : 1;
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const text = ` ${JSON.stringify(value, undefined, space)} `;
      const values = count(JSON.parse(text));
      assert.equal(hasMoreValues(text, values), false);
      assert.equal(hasMoreValues(text, values - 1), true);
    }),
    { numRuns: propertyRuns },
  );
});

test('a member is omitted at any position, and the rest is unchanged', () => {
  for (const [text, left, omitted] of [
    ['{"r":1}', '{}', 1],
    ['{ "r" : [1, {"r":2}] }', '{ }', 12],
    ['{"r":1, "a": 2}', '{"a": 2}', 1],
    ['{"a": 2 , "r":"x"}', '{"a": 2}', 3],
    ['{"a":1,"r":2,"b":{"r":3}}', '{"a":1,"b":{"r":3}}', 1],
    ['{"r":1,"r":22,"a":1,"\\u0072":3,"r":4,"b":2,"r":5}', '{"a":1,"b":2}', 6],
    ['{"r":null,"a":1}', '{"r":null,"a":1}', 0],
    ['[{"r":1}]', '[{"r":1}]', 0],
    ['', '', 0],
  ] as const) {
    assert.deepEqual(omitMember(text, 'r'), { left, omitted });
  }
});

test('only objects have members, and only arrays have elements', () => {
  for (const text of ['[]', '1', '"{}"', 'null', '']) assert.deepEqual(readMembers(text), []);
  for (const text of ['{}', '1', '"[1]"', 'null', '']) assert.deepEqual(readElements(text), []);
});

test('property: the parts of a value make up the value', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.string(), fc.jsonValue()),
      fc.array(fc.jsonValue()),
      fc.nat(4),
      (object, array, indent) => {
        const members = readMembers(JSON.stringify(object, null, indent));
        assert.deepEqual(
          Object.fromEntries(members.map(({ key, text }) => [key, JSON.parse(text)])),
          JSON.parse(JSON.stringify(object)),
        );
        const elements = readElements(JSON.stringify(array, null, indent));
        assert.deepEqual(
          elements.map((text): unknown => JSON.parse(text)),
          JSON.parse(JSON.stringify(array)),
        );
      },
    ),
    { numRuns: propertyRuns },
  );
});
