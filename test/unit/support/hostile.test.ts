import assert from 'node:assert/strict';
import { get } from 'node:http';
import { suite, test } from 'node:test';
import { CanaryService, startCanaryServer } from '../../support/hostile/canary.ts';
import type { HostileAnswer, HostilePromise } from '../../support/hostile/hostileAnswer.ts';
import { hostileAnswers, hostileAnswersFor } from '../../support/hostile/hostileAnswers.ts';
import { startHostileServer, type HostileRequest } from '../../support/hostile/hostileServer.ts';
import { keyForms, keyFormsIn, markedKey } from '../../support/hostile/keyForms.ts';

const key = { 'x-service-key': markedKey };

/** The response with that name, which must exist. */
function named(name: string): HostileAnswer {
  const answer = hostileAnswers.find((each) => each.name === name);
  assert.ok(answer !== undefined, name);
  return answer;
}

/** The maximum size of a response, counted without storing it. */
function sizeOf(answer: HostileAnswer): number {
  const { body, headers = [] } = answer.reply({
    method: 'GET',
    path: '/',
    key: markedKey,
    baseUrl: 'http://127.0.0.1:1/0',
  });
  let size = headers.flat().join('').length;
  for (const piece of body) {
    size += piece.length;
    if (size > 2_000_000_000) break;
  }
  return size;
}

suite('hostile answers', () => {
  test('are three hundred and more, each with a name of its own, and attack every promise', () => {
    assert.ok(hostileAnswers.length >= 300);
    assert.equal(new Set(hostileAnswers.map(({ name }) => name)).size, hostileAnswers.length);
    const promises: readonly HostilePromise[] = [
      'does not block the event loop for over 200 ms',
      'takes under 200 MB',
      'does not contain the key',
      'one line',
      'ends within its bounds',
      'does not crash or change what is shared',
      'goes to no other origin',
    ];
    for (const promise of promises) assert.ok(hostileAnswersFor(promise).length >= 15, promise);
  });

  test('are as large as they say', () => {
    const sizes: Readonly<Record<string, readonly [min: number, max: number]>> = {
      '16 MB in a message, status 400': [16.7e6, 16.9e6],
      '28 MB in a request_id, status 500': [29.2e6, 29.5e6],
      '1000000 complaints: texts': [10e6, 40e6],
      '1000000 nulls on a page, whatever limit said': [5e6, 5.1e6],
      'lists 8000 deep in an item': [16_000, 16_400],
      '2 MB in the header retry-after': [2.09e6, 2.2e6],
    };
    for (const [name, [min, max]] of Object.entries(sizes)) {
      const size = sizeOf(named(name));
      assert.ok(size >= min && size <= max, `${name}: ${size}`);
    }
  });

  test('are JSON of the depth and the number that they say', () => {
    const parsed = (name: string): unknown => {
      const { body } = named(name).reply({ method: 'GET', path: '/', key: markedKey, baseUrl: '' });
      return JSON.parse([...body].map(String).join(''));
    };
    for (const what of ['lists', 'objects', 'both']) {
      let value = (parsed(`${what} 8000 deep in a refusal`) as { message: unknown }).message;
      let depth = 0;
      while (typeof value === 'object' && value !== null) {
        value = Object.values(value)[0];
        depth += 1;
      }
      assert.equal(depth, 8000, what);
    }
    const { items } = parsed('100000 whole jobs on a page, whatever limit said') as { items: unknown[] };
    assert.equal(items.length, 100_000);
  });

  test('come over HTTP as they are, to the requests that they are for', async (t) => {
    const seen: HostileRequest[] = [];
    const server = await startHostileServer((request) => seen.push(request));
    t.after(() => server.stop());
    const list = async (name: string, method = 'GET'): Promise<Response> =>
      fetch(`${server.baseUrl(named(name))}/v2/pre-recorded`, { method, headers: key });
    const echoed = await list('the key as it is in messages and complaints');
    assert.equal(echoed.status, 400);
    assert.ok((await echoed.text()).includes(markedKey));
    const deep = await list('lists 8000 deep in an item');
    assert.ok((await deep.text()).includes('['.repeat(8000)));
    assert.equal((await list('the key as it is in an item', 'POST')).status, 201);
    const many = await list('1000000 nulls on a page, whatever limit said');
    assert.equal(((await many.json()) as { items: unknown[] }).items.length, 1_000_000);
    assert.deepEqual(seen.map(({ method, path }) => `${method} ${path}`).slice(0, 1), ['GET /v2/pre-recorded']);
    await assert.rejects(list('2 MB in the header x-anything'));
    await assert.rejects(list('no HTTP'));
    await assert.rejects(list('a length that is too large').then((response) => response.text()));
  });

  test('redirect with header bytes that Node would not send', async (t) => {
    const server = await startHostileServer();
    t.after(() => server.stop());
    const url = `${server.baseUrl(named('a redirect with the key as host'))}/v2/live`;
    const location = await new Promise((resolve, reject) => {
      get(url, { headers: key }, (response) => resolve(response.resume().headers.location)).on('error', reject);
    });
    assert.equal(location, `https://${markedKey.toLowerCase()}.evil.example/`);
  });
});

suite('keys in other forms', () => {
  test('are found in every form, amid other text', () => {
    for (const { name, write } of keyForms) {
      assert.notDeepEqual(keyFormsIn(`before ${write(markedKey)} after`), [], name);
    }
    for (const part of ['Canary7Q3x', 'v9mk2pl8wn', '4TZ6RB1YHD']) assert.deepEqual(keyFormsIn(`x${part}x`).length, 1);
    const some = markedKey.replaceAll('-', '%2D').replaceAll('7', String.raw`\u0037`);
    assert.notDeepEqual(keyFormsIn(some), []);
    const wrapped = Buffer.from(`{"header":"${markedKey}"}`).toString('base64');
    assert.notDeepEqual(keyFormsIn(wrapped), []);
  });

  test('are not found where there is none', () => {
    assert.deepEqual(keyFormsIn('The service refused the key (401). tjk-… Canary'), []);
    assert.deepEqual(keyFormsIn(Buffer.from('nothing to see here, really').toString('base64')), []);
  });
});

suite('canary service', () => {
  test('works, and says the key in every form before long', async (t) => {
    const server = await startCanaryServer();
    t.after(() => server.stop());
    const statuses = new Set<number>();
    const forms = new Set<string>();
    const ids = new Set<string>();
    for (let offset = 0; offset < 100; offset += 5) {
      const answer = await fetch(`${server.origin}/v2/pre-recorded?offset=${offset}&limit=5`, {
        headers: key,
        redirect: 'manual',
      });
      statuses.add(answer.status);
      const body = await answer.text();
      const location = answer.headers.get('location') ?? '';
      for (const form of keyFormsIn(`${body} ${location}`)) forms.add(form);
      if (answer.status === 200)
        for (const { id } of (JSON.parse(body) as { items: { id: string }[] }).items) ids.add(id);
    }
    assert.deepEqual(
      [...statuses].toSorted((left, right) => left - right),
      [200, 302, 422, 429, 500, 502],
    );
    assert.ok(ids.size > 30);
    assert.deepEqual(
      keyForms.map(({ name }) => name).filter((name) => !forms.has(name)),
      [],
    );
  });

  test('takes submissions, and lists what it took', () => {
    const canary = new CanaryService();
    const { status, body } = canary.handle('POST', '/v2/pre-recorded', key, '{}');
    assert.equal(status, 201);
    const { id } = JSON.parse(body) as { id: string };
    const page = canary.handle('GET', '/v2/pre-recorded?limit=100', key, '');
    assert.ok((JSON.parse(page.body) as { items: { id: string }[] }).items.some((item) => item.id === id));
  });
});
