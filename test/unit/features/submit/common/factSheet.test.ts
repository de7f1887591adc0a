import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WorkSlices } from '../../../../../src/base/clock.ts';
import fc from 'fast-check';
import {
  factLines,
  factSheet as factSteps,
  fitsDialog,
  shortFactLines,
} from '../../../../../src/features/submit/common/factSheet.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';

const deps = {
  baseUrl: 'https://api.example.com/base',
  apiKeyHeader: 'x-service-key',
  byteLength: (text: string) => Buffer.byteLength(text),
};
/** Computes the facts about some requests. */
function factSheet(requests: Parameters<typeof factSteps>[0], given: typeof deps) {
  return new WorkSlices().run(factSteps(requests, given));
}

const audioUrl = 'https://media.example.com/calls/a.mp3?signature=secret';

test('a sheet shows service, header, audio, other addresses, size and number, no hash', async () => {
  const body = `{"audio_url":"${audioUrl}","callback_config":{"url":"http://user:pw@results.example:8080/in?token=t"}}`;
  const facts = await factSheet([{ body, audioUrl }], deps);
  assert.deepEqual(facts, {
    service: 'api.example.com/base/v2/pre-recorded',
    header: 'x-service-key',
    audioHosts: ['media.example.com'],
    otherAddresses: ['http://results.example:8080/in?…'],
    bytes: body.length,
    requests: 1,
  });
  const lines = factLines(facts);
  assert.ok(fitsDialog(lines));
  assert.match(lines.join('\n'), /x-service-key[^]+results\.example:8080[^]+billed/);
  assert.doesNotMatch(lines.join('\n'), /secret|pw|token=|SHA/);
  const plain = factLines({ ...facts, otherAddresses: [] });
  assert.doesNotMatch(plain.join('\n'), /Other addresses/);
  const sample = factLines({ ...facts, isSample: true }).join('\n');
  assert.match(sample, /Nothing leaves this computer\.[^]+Sample jobs cost nothing\.$/);
  assert.doesNotMatch(sample, /x-service-key|billed/);
});

test('the facts of a batch cover all its requests', async () => {
  const requests = ['a', 'b', 'b'].map((host, at) => ({
    body: `{"audio_url":"https://${host}.example/${at}","x":"https://cb.example/${at}"}`,
    audioUrl: `https://${host}.example/${at}`,
  }));
  const facts = await factSheet(requests, deps);
  const { audioHosts, otherAddresses, requests: count, bytes } = facts;
  const size = factLines(facts).find((line) => line.startsWith('Size'));
  assert.match(size ?? '', /^Size of all requests: \d+ bytes$/);
  assert.deepEqual([audioHosts, count], [['b.example', 'a.example'], 3]);
  assert.deepEqual(otherAddresses, ['cb.example/0', 'cb.example/1', 'cb.example/2']);
  assert.equal(
    bytes,
    requests.reduce((sum, { body }) => sum + body.length, 0),
  );
});

test('too many addresses, or too long ones, do not fit a dialog', async () => {
  const sheetOf = async (addresses: readonly string[]) =>
    factLines(await factSheet([{ body: JSON.stringify({ addresses }), audioUrl: undefined }], deps));
  assert.ok(fitsDialog(await sheetOf(['https://a.example/'])));
  assert.ok(!fitsDialog(await sheetOf(Array.from({ length: 20 }, (_, at) => `https://a${at}.example/`))));
  assert.ok(!fitsDialog(await sheetOf([`https://a.example/${'x'.repeat(500)}`])));
  assert.ok(
    (await sheetOf([`https://${'a'.repeat(500)}.example/`])).some((line) =>
      line.includes(`${'a'.repeat(500)}.example`),
    ),
  );
});

test('the short form of the facts cuts lines that are too long, and none that just fits', async () => {
  const facts = await factSheet([{ body: JSON.stringify({ audio_url: audioUrl }), audioUrl }], deps);
  const lineOf = (pathLength: number): string =>
    shortFactLines({ ...facts, service: `api.example.com/${'x'.repeat(pathLength)}` }).find((line) =>
      line.includes('api.example.com'),
    ) ?? '';
  const surplus = lineOf(1).length - 1;
  assert.ok(fitsDialog([lineOf(160 - surplus)]) && lineOf(160 - surplus).endsWith('x'), lineOf(160 - surplus));
  assert.equal(lineOf(161 - surplus), `${lineOf(160 - surplus).slice(0, -1)}…`);
  assert.ok(fitsDialog([lineOf(161 - surplus)]));
  assert.equal(lineOf(5000), lineOf(161 - surplus));
});

for (const [value, shown] of [
  ['wss://hooks.example/live?token=t0ken', 'wss://hooks.example/live?…'],
  ['ftp://user:t0ken@files.example/in', 'ftp://files.example/in'],
  ['//hooks.example/in?token=t0ken', '"//hooks.example/in?…"'],
  ['\\\\hooks.example\\in', '"\\\\\\\\hooks.example\\\\in"'],
  ['hooks.example/in?token=t0ken', '"hooks.example/in?…"'],
  ['hooks.example', '"hooks.example"'],
  ['mailto:ops@studio.example', '"mailto:ops@studio.example"'],
  [' \tjavascript:alert(1)', '"javascript:alert(1)"'],
] as const) {
  test(`an address ${JSON.stringify(value)} in an address field is shown among the others`, async () => {
    for (const name of ['url', 'callback_url', 'CALLBACK_URL', '\\u0075rl']) {
      const body = `{"audio_url":"${audioUrl}","callback_config":{"${name}" :\n ${JSON.stringify(value)}}}`;
      assert.deepEqual((await factSheet([{ body, audioUrl }], deps)).otherAddresses, [shown]);
    }
  });
}

test('a text that begins like an address is shown among the others in any field, and no other text is', async () => {
  const texts = ['wss://live.example', '//cdn.example/x', 'Aurora Health', 'Note: call back', '12:30', 'a/b', ''];
  const { otherAddresses } = await factSheet([{ body: JSON.stringify({ texts }), audioUrl: undefined }], deps);
  assert.deepEqual(otherAddresses, ['wss://live.example', '"//cdn.example/x"']);
});

test('an address in the query of another one is found, however often it is encoded, also after the audio', async () => {
  const inner = 'https://inner.example/in?token=t0ken';
  for (const encode of [
    (text: string) => text,
    encodeURIComponent,
    (text: string) => encodeURIComponent(encodeURIComponent(text)),
  ]) {
    const outer = `https://outer.example/go?to=${encode(inner)}`;
    const body = JSON.stringify({ audio_url: outer, callback_url: outer });
    const { otherAddresses, audioHosts } = await factSheet([{ body, audioUrl: outer }], deps);
    assert.deepEqual(audioHosts, ['outer.example']);
    assert(otherAddresses.includes('inner.example/in?…') && otherAddresses.includes('outer.example/go?…'), outer);
    const { otherAddresses: behind } = await factSheet(
      [{ body: JSON.stringify({ audio_url: outer }), audioUrl: outer }],
      deps,
    );
    assert(behind.includes('inner.example/in?…'), behind.join());
    assert.doesNotMatch([...otherAddresses, ...behind].join(), /t0ken/);
  }
});

test('an address is found in lists and objects of an address field, encoded, and of any scheme within another address', async () => {
  const others = async (body: object): Promise<string> =>
    (await factSheet([{ body: JSON.stringify(body), audioUrl: undefined }], deps)).otherAddresses.join('\n');
  for (const url of [['evil.example'], { a: 'evil.example' }, [{ to: [['evil.example/x']] }]])
    assert.match(await others({ callback_config: { url } }), /evil\.example/, JSON.stringify(url));
  assert.doesNotMatch(await others({ callback_config: { url: [], note: 'Aurora' } }), /Aurora/);
  for (const hidden of [
    '%2F%2Fevil.example',
    '%252F%252Fevil.example',
    '%5C%5Cevil.example',
    'ftp%3A%2F%2Fevil.example',
  ])
    assert.match(await others({ note: hidden }), /evil\.example/, hidden);
  for (const inner of [
    '//evil.example',
    'ftp://evil.example',
    's3://evil.example',
    'wss://evil.example',
    '\\\\evil.example',
  ]) {
    for (const written of [inner, encodeURIComponent(inner), encodeURIComponent(encodeURIComponent(inner))]) {
      for (const sign of ['?u=', '?a=1&u=', '#', ';u='])
        assert.match(
          await others({ note: `https://good.example/${sign}${written}` }),
          /evil\.example/,
          `${sign}${written}`,
        );
    }
  }
  assert.match(await others({ note: 'https://good.example/?to=mailto:someone@evil.example' }), /evil\.example/);
});

test('a hundred thousand addresses in one text are found', async () => {
  const body = JSON.stringify({ x: `${'https://a@'.repeat(100_000)}end.example` });
  assert((await factSheet([{ body, audioUrl: undefined }], deps)).otherAddresses.includes('end.example'));
});

/** Returns a text as JSON, in which flags select the characters to escape. */
function escaped(text: string, flags: readonly boolean[]): string {
  const characters = Array.from({ length: text.length }, (_, at) =>
    flags[at % Math.max(1, flags.length)] === true
      ? `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`
      : JSON.stringify(text[at]).slice(1, -1),
  );
  return `"${characters.join('')}"`;
}

const address = fc
  .record({
    scheme: fc.constantFrom('http://', 'https://', 'HTTPS://', 'https:', 'https:\\\\', 'ht\ttps://', 'https:///'),
    before: fc.constantFrom('', ' ', 'see ', 'xhttps', '\u202e', '"', '(', 'https://first.example/?to='),
    after: fc.constantFrom('', '/', '/path', '?q', ' and more', '#x', '">', '\n'),
    user: fc.constantFrom('', 'media.example.com@', 'a:b@'),
  })
  .map(({ scheme, before, after, user }) => `${before}${scheme}${user}hidden.example${after}`);

test('no padding and no shape of a body hides an address', async () => {
  const place = fc.constantFrom('value', 'name', 'list', 'deep', 'repeated', 'audioFirst', 'audioTwice');
  const padding = fc.record({ length: fc.nat(5000), text: fc.constantFrom(' ', '\n', 'x', '\u200b', '\\n') });
  await fc.assert(
    fc.asyncProperty(
      address,
      place,
      padding,
      fc.array(fc.boolean(), { maxLength: 5 }),
      async (text, where, pad, flags) => {
        const planted = escaped(text, flags);
        const filler = JSON.stringify(pad.text.repeat(pad.length));
        const space = /^\s$/.test(pad.text) ? pad.text.repeat(pad.length) : '';
        const audio = `"audio_url":${JSON.stringify(audioUrl)}`;
        const bodies: Readonly<Record<typeof where, string>> = {
          value: `{${space}"pad":${filler},${audio},${space}"x":${planted}}`,
          name: `{${audio},"pad":${filler},"x":{${space}${planted}:1}}`,
          list: `{${audio},"x":[${filler},[${planted}]]}`,
          deep: `{${audio},"x":${'['.repeat(500)}${planted}${']'.repeat(500)}}`,
          repeated: `{"x":${planted},${audio},"x":${filler}}`,
          audioFirst: `{"audio_url":${planted},"pad":${filler},${audio}}`,
          audioTwice: `{${audio},"y":${JSON.stringify(audioUrl)},"x":${planted}}`,
        };
        const { otherAddresses, audioHosts } = await factSheet([{ body: bodies[where], audioUrl }], deps);
        const reported = factLines(await factSheet([{ body: bodies[where], audioUrl }], deps)).join('\n');
        assert.ok(
          otherAddresses.some((each) => each.includes('hidden.example')),
          `${bodies[where].slice(0, 300)}\n${reported}`,
        );
        assert.deepEqual(audioHosts, ['media.example.com']);
        if (where === 'audioTwice') assert.ok(otherAddresses.some((each) => each.startsWith('media.example.com/')));
      },
    ),
    { numRuns: propertyRuns },
  );
});
