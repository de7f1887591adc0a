import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Item } from './sampleClient.ts';
import { Sample } from './sampleClient.ts';

let sample: Sample;
let all: readonly Item[];

before(async () => {
  sample = await Sample.open({ count: 400 });
  sample.service.add({
    id: 'tagged',
    createdAt: Date.parse('2026-05-10T23:59:59.999Z'),
    status: 'done',
    fields: {
      custom_metadata: {
        customer: 'A&B, [C]',
        number: 7,
        flag: true,
        none: null,
        list: [1, 'two'],
        deep: { er: { x: 1 } },
      },
    },
  });
  all = await sample.all();
  assert.equal(all.length, 401);
});
after(async () => {
  await sample.service.stop();
});

const list = async (path: string, query: string): Promise<readonly string[]> =>
  sample.ids(`/v2/${path}?limit=1000&${query}`);
const idsWhere = (wanted: (item: Item) => boolean): readonly string[] => all.filter(wanted).map((item) => item.id);
const problemsOf = async (query: string): Promise<readonly string[]> => {
  const { status, body } = await sample.get(`/v2/transcription?${query}`);
  assert.equal(status, 400, query);
  return body.validation_errors ?? [];
};

test('each endpoint lists its kind, newest first', async () => {
  assert.deepEqual(
    await list('pre-recorded', ''),
    idsWhere((item) => item.kind === 'pre-recorded'),
  );
  assert.deepEqual(
    await list('live', ''),
    idsWhere((item) => item.kind === 'live'),
  );
  assert.deepEqual(
    all.map((item) => item.created_at),
    all
      .map((item) => item.created_at)
      .toSorted()
      .toReversed(),
  );
});

test('status is read in every notation', async () => {
  const wanted = idsWhere((item) => item.status === 'error' || item.status === 'queued');
  assert.ok(wanted.length > 5);
  const spellings = [
    'status=error&status=queued',
    'status=queued&status=error&status=error',
    'status=error,queued',
    'status=error%2Cqueued',
    'status[]=error&status[]=queued',
    'status%5B%5D=error&status%5B%5D=queued',
    'status[0]=error&status[1]=queued',
  ];
  for (const spelling of spellings) assert.deepEqual(await list('transcription', spelling), wanted, spelling);
  for (const status of ['queued', 'processing', 'done', 'error'])
    assert.deepEqual(
      await list('live', `status=${status}`),
      idsWhere((item) => item.kind === 'live' && item.status === status),
    );
});

test('kind is read in every notation, on the combined list only', async () => {
  const live = idsWhere((item) => item.kind === 'live');
  for (const spelling of ['kind=live', 'kind[]=live', 'kind[0]=live'])
    assert.deepEqual(await list('transcription', spelling), live, spelling);
  const every = idsWhere(() => true);
  for (const spelling of ['kind=live&kind=pre-recorded', 'kind=live,pre-recorded', 'kind[]=pre-recorded&kind[]=live'])
    assert.deepEqual(await list('transcription', spelling), every, spelling);
  assert.deepEqual(await list('live', 'kind=pre-recorded'), live);
});

test('a date selects its UTC day', async () => {
  const wanted = idsWhere((item) => item.created_at.startsWith('2026-05-10'));
  assert.ok(wanted.includes('tagged'));
  for (const spelling of ['2026-05-10', '2026-05-10T15:30:00Z', '2026-05-11T01:00:00%2B02:00'])
    assert.deepEqual(await list('transcription', `date=${spelling}`), wanted, spelling);
});

test('before_date and after_date exclude their own moment', async () => {
  const at = '2026-05-10T23:59:59.999Z';
  assert.deepEqual(
    await list('transcription', `before_date=${at}`),
    idsWhere((item) => item.created_at < at),
  );
  assert.deepEqual(
    await list('transcription', `after_date=${at}`),
    idsWhere((item) => item.created_at > at),
  );
  const range = 'after_date=2026-05-10T23:59:59.998Z&before_date=2026-05-11';
  assert.deepEqual(await list('pre-recorded', range), ['tagged']);
  assert.deepEqual(await list('pre-recorded', 'date=2026-05-11&before_date=2026-05-11'), []);
  assert.deepEqual(await list('pre-recorded', 'after_date=2026-05-11&before_date=2026-05-10'), []);
});

test('invalid dates are rejected', async () => {
  const wrong = [
    '',
    'yesterday',
    '2026-13-01',
    '2026-02-30',
    '2026-05-10T25:00Z',
    '2026-05-10 10:00',
    '1747000000000',
    '2026-05-10T10:00:00+02:00',
  ];
  for (const name of ['date', 'before_date', 'after_date']) {
    // The last one is a common mistake: an unencoded plus sign is a space.
    for (const text of wrong)
      assert.deepEqual(await problemsOf(`${name}=${text}`), [`${name} must be an ISO 8601 date or date-time`], text);
  }
});

test('metadata are read as JSON text and in brackets', async () => {
  const json = (value: unknown): string => `custom_metadata=${encodeURIComponent(JSON.stringify(value))}`;
  const found = [
    json({ customer: 'A&B, [C]' }),
    json({ number: 7, flag: true, none: null }),
    json({ number: '7', flag: 'true' }),
    json({ list: [1, 'two'] }),
    json({ deep: { er: { x: 1 } } }),
    json({ deep: {}, number: 7 }),
    'custom_metadata[customer]=A%26B,+[C]',
    'custom_metadata%5Bnumber%5D=7&custom_metadata%5Bflag%5D=true',
    'custom_metadata[deep][er][x]=1',
    `custom_metadata[number]=7&${json({ flag: true })}`,
  ];
  for (const spelling of found) assert.deepEqual(await list('pre-recorded', spelling), ['tagged'], spelling);
  const missed = [
    json({ customer: 'A&B' }),
    json({ number: 7, flag: false }),
    json({ number: null }),
    json({ none: 'null' }),
    json({ list: [1] }),
    json({ list: ['two', 1] }),
    json({ deep: { er: 1 } }),
    json({ toString: 'x' }),
    'custom_metadata={"__proto__":{}}',
    'custom_metadata[__proto__]=x',
    'custom_metadata[number]=7&custom_metadata[number]=8',
  ];
  for (const spelling of missed) assert.deepEqual(await list('pre-recorded', spelling), [], spelling);
});

test('empty metadata filter nothing, and list jobs without metadata too', async () => {
  const every = idsWhere(() => true);
  assert.deepEqual(await list('transcription', 'custom_metadata=%7B%7D'), every);
});

test('metadata that are no object are rejected', async () => {
  for (const text of ['', 'text', '[]', 'null', '7', '{', '{"a":1'])
    assert.equal((await problemsOf(`custom_metadata=${encodeURIComponent(text)}`)).length, 1, text);
  for (const key of ['custom_metadata[', 'custom_metadata[]', 'custom_metadata[a', 'custom_metadata[a]b'])
    assert.equal((await problemsOf(`${key}=x`)).length, 1, key);
});

test('offset and limit select a part of the list', async () => {
  const every = idsWhere(() => true);
  assert.deepEqual(await sample.ids('/v2/transcription'), every.slice(0, 20));
  assert.deepEqual(await sample.ids('/v2/transcription?offset=7'), every.slice(7, 27));
  assert.deepEqual(await sample.ids('/v2/transcription?offset=395&limit=10'), every.slice(395));
  assert.deepEqual(await sample.ids('/v2/transcription?offset=9007199254740991&limit=1'), []);
});

test('invalid offsets and limits are rejected', async () => {
  for (const text of ['', '-1', '1.5', 'ten', '1e3', '0x10', '99999999999999999999', '%2010'])
    assert.deepEqual(await problemsOf(`offset=${text}`), ['offset must be a whole number, 0 or more'], text);
  for (const text of ['0', '-1', ''])
    assert.deepEqual(await problemsOf(`limit=${text}`), ['limit must be a whole number, 1 or more'], text);
  assert.deepEqual(await problemsOf('limit=1&limit=2'), ['limit must be given once']);
});

test('every problem of a query is reported at once', async () => {
  assert.deepEqual(await problemsOf('offset=-1&limit=0&status=lost&kind=dead&date=x'), [
    'offset must be a whole number, 0 or more',
    'limit must be a whole number, 1 or more',
    'date must be an ISO 8601 date or date-time',
    'each value of status must be one of queued, processing, done, error',
    'each value of kind must be one of pre-recorded, live',
  ]);
  for (const query of ['status=', 'status=done,', 'status=DONE', 'status[]=', 'kind='])
    assert.equal((await problemsOf(query)).length, 1, query);
});

test('unknown parameters are ignored', async () => {
  assert.deepEqual(
    await list('live', 'page=3&statusx=done&status[x]=done&sort=asc'),
    idsWhere((item) => item.kind === 'live'),
  );
});
