import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { sampleSubmission } from '../../../src/sample/sampleSubmission.ts';
import { Sample } from './sampleClient.ts';

let sample: Sample;
before(async () => {
  sample = await Sample.open({ count: 0 });
});
after(async () => {
  await sample.service.stop();
});

const audio_url = 'https://media.example.com/calls/monday.mp3';

test('a submission creates one queued job and returns its id and address', async () => {
  const metadata = { customer: 'Kite', nested: { a: [1, null] }, 'odd key': '<b>' };
  const { status, body } = await sample.post({ audio_url, custom_metadata: metadata, diarization: true, unknown: 1 });
  assert.equal(status, 201);
  assert.deepEqual(body, { id: body.id, result_url: `${sample.service.baseUrl}/v2/pre-recorded/${body.id}` });
  assert.match(body.id, /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/);
  const [item, ...rest] = await sample.items('/v2/pre-recorded?status=queued');
  assert.equal(rest.length, 0);
  assert.equal(item?.id, body.id);
  assert.deepEqual(item.custom_metadata, metadata);
  assert.deepEqual(item['file'], {
    filename: 'monday.mp3',
    source: audio_url,
    audio_duration: null,
    number_of_channels: null,
  });
  assert.equal('request_params' in item, false);
  assert.deepEqual(await sample.ids('/v2/pre-recorded?custom_metadata[customer]=Kite'), [body.id]);
});

test('the same body twice makes two jobs', async () => {
  const [one, other] = [await sample.post({ audio_url }), await sample.post({ audio_url })];
  assert.notEqual(one.body.id, other.body.id);
  const items = (await sample.all()).filter((item) => item.id === one.body.id || item.id === other.body.id);
  assert.deepEqual(
    items.map((item) => 'custom_metadata' in item),
    [false, false],
  );
});

test('a charset and capitals in the media type are accepted', async () => {
  assert.equal((await sample.post({ audio_url }, { 'content-type': 'Application/JSON; charset=utf-8' })).status, 201);
});

test('invalid bodies are rejected, and create no job', async () => {
  const count = (await sample.all()).length;
  const problems = async (body: unknown): Promise<readonly string[] | undefined> => {
    const answer = await sample.post(body);
    assert.equal(answer.status, 400);
    assert.equal(answer.body.statusCode, 400);
    return answer.body.validation_errors;
  };
  for (const text of ['', '{', 'null', '[]', '"text"', '\u{feff}', '{"audio_url":"https://a.example/x"} x'])
    assert.equal(await problems(text), undefined, text);
  for (const url of [
    undefined,
    null,
    7,
    '',
    'monday.mp3',
    'file:///etc/passwd',
    'ftp://a.example/x',
    ['https://a.example/x'],
  ])
    assert.deepEqual(await problems({ audio_url: url }), ['audio_url must be an http or https URL']);
  for (const metadata of [null, 'x', 7, []])
    assert.deepEqual(await problems({ audio_url, custom_metadata: metadata }), ['custom_metadata must be an object']);
  assert.deepEqual(await problems({ custom_metadata: { a: 'x'.repeat(2000) } }), [
    'audio_url must be an http or https URL',
    'custom_metadata must not be longer than 2000 characters',
  ]);
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', ''])
    assert.equal((await sample.post({ audio_url }, { 'content-type': type })).status, 415);
  assert.equal((await sample.all()).length, count);
});

test('metadata nested too deep to serialize are rejected', async () => {
  const depth = 200_000;
  const deep = `{"audio_url":"${audio_url}","custom_metadata":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`;
  assert.equal((await sample.post(deep)).status, 400);
  assert.equal((await sample.get('/v2/pre-recorded')).status, 200);
});

test('a body of ten megabytes is accepted, one byte more is rejected', async () => {
  const limit = 10 * 1024 * 1024;
  const padding = limit - JSON.stringify({ audio_url, padding: '' }).length;
  assert.equal((await sample.post({ audio_url, padding: 'x'.repeat(padding) })).status, 201);
  const { status, body } = await sample.post({ audio_url, padding: 'x'.repeat(padding + 1) });
  assert.equal(status, 413);
  assert.equal(body.statusCode, 413);
});

test('invalid UTF-8 is not valid JSON', async () => {
  const { status } = await sample.get('/v2/pre-recorded', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: Buffer.from('{"audio_url":"https://a.example/\xff"}', 'latin1'),
  });
  assert.equal(status, 400);
});

test('a truncated body is rejected, even if the rest is valid', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const outcome = new Promise<unknown>((resolve) => {
    server.on('request', (received) => void sampleSubmission(received).then(resolve, resolve));
  });
  const sent = request({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    method: 'POST',
    headers: { 'content-type': 'application/json', 'content-length': 1000 },
  });
  sent.on('error', () => {
    // Caused by `destroy` below.
  });
  await new Promise((resolve) => sent.write(JSON.stringify({ audio_url }), resolve));
  sent.destroy();
  assert.ok((await outcome) instanceof Error);
  server.close();
});
