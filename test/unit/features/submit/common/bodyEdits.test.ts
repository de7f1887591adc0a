import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listedBody, readTemplate, withTag } from '../../../../../src/features/submit/common/bodyEdits.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const tag = { key: 'tag', value: 'b7' };

for (const [before, after] of [
  ['{}', '{"custom_metadata":{"tag":"b7"}}'],
  ['{ "a": 1.0 }', '{"custom_metadata":{"tag":"b7"}, "a": 1.0 }'],
  ['{"custom_metadata": {} , "a":1}', '{"custom_metadata": {"tag":"b7"} , "a":1}'],
  ['{"custom_metadata":{"x":{"tag":1}}}', '{"custom_metadata":{"tag":"b7","x":{"tag":1}}}'],
  // The last of two duplicate members counts, as in JSON.parse.
  ['{"custom_metadata":{},"custom_metadata":{"y":2}}', '{"custom_metadata":{},"custom_metadata":{"tag":"b7","y":2}}'],
] as const) {
  test(`a tag is added to ${before}`, () => assert.equal(withTag(before, tag), after));
}

for (const [url, title] of [
  ['https://media.example/calls/may/weekly.mp3?signature=1', 'weekly.mp3'],
  ['https://media.example/weekly.mp3', 'weekly.mp3'],
] as const) {
  test(`a job of a list is named after the file of ${url}, not after its folder`, () => {
    const listed = listedBody(readTemplate('{"audio_url":""}'), { url, metadata: {} }, { titleKey: 'title' });
    assert.equal(listed, `{"custom_metadata":{"title":"${title}"},"audio_url":"${url}"}`);
  });
}

for (const body of ['[]', '{"custom_metadata":null}', '{"custom_metadata":[]}', '{"custom_metadata":{"tag":"mine"}}']) {
  test(`no tag can be added to ${body}`, () => assert.equal(withTag(body, tag), undefined));
}

test('adding a tag keeps every character of the body and adds exactly one member to the value', () => {
  const objects = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }), { maxKeys: 6 });
  fc.assert(
    fc.property(objects, fc.option(objects), fc.constantFrom(undefined, 2), (fields, metadata, indent) => {
      fc.pre(!Object.hasOwn(metadata ?? {}, tag.key));
      const value = { ...fields, ...(metadata && { custom_metadata: metadata }) };
      fc.pre(metadata !== null || !Object.hasOwn(fields, 'custom_metadata'));
      const body = JSON.stringify(value, undefined, indent);
      const tagged = withTag(body, tag) ?? assert.fail('no tag');
      assert.ok(isInsertion(body, tagged));
      assert.deepEqual(
        JSON.parse(tagged),
        JSON.parse(JSON.stringify({ ...value, custom_metadata: { ...metadata, tag: 'b7' } })),
      );
    }),
    { numRuns: propertyRuns },
  );
});

function isInsertion(before: string, after: string): boolean {
  let prefix = 0;
  while (prefix < before.length && before[prefix] === after[prefix]) prefix++;
  return after.slice(prefix + after.length - before.length) === before.slice(prefix);
}

const url = 'https://a.example/b/c.mp3';

for (const [template, metadata, titleKey, listed] of [
  [
    '{ "n": 1.50, "custom_metadata": {"a": [1, 2], "b": "x"}, "audio_url": "u" }',
    { a: 'Ann "A"', c: '007' },
    't',
    `{ "n": 1.50, "custom_metadata": {"t":"c.mp3","c":"007","a": "Ann \\"A\\"", "b": "x"}, "audio_url": "${url}" }`,
  ],
  ['{}', { a: '1', b: '2' }, undefined, `{"custom_metadata":{"b":"2","a":"1"},"audio_url":"${url}"}`],
  ['{ "n": 1.50 }', {}, undefined, `{"audio_url":"${url}", "n": 1.50 }`],
  // A title of the template or of the row stays.
  ['{"custom_metadata":{"t":1}}', {}, 't', `{"audio_url":"${url}","custom_metadata":{"t":1}}`],
  ['{"custom_metadata":{}}', { t: '1' }, 't', `{"audio_url":"${url}","custom_metadata":{"t":"1"}}`],
  ['{"custom_metadata":"x"}', { a: '1' }, undefined, undefined],
  ['{"custom_metadata":["x"]}', { 0: '1' }, undefined, undefined],
  ['{"custom_metadata":"x"}', {}, 't', `{"audio_url":"${url}","custom_metadata":"x"}`],
  ['[]', { a: '1' }, undefined, undefined],
  ['[]', {}, 't', '[]'],
] as const) {
  test(`a row of a list with ${JSON.stringify(metadata)} in ${template} with the title key ${titleKey}`, () =>
    assert.equal(listedBody(readTemplate(template), { url, metadata }, { titleKey }), listed));
}
