import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite, test } from 'node:test';
import { checkBaseUrl } from '../../../../src/connections/common/connectionInput.ts';
import { isFailure, ParameterError } from '../../../../src/base/failure.ts';
import { asTreeNode, entriesOf, rowsOf } from '../../../../src/features/tree/common/commandArguments.ts';
import { makeCsvForm } from '../../../../src/jobs/common/csv.ts';
import { decodeJob } from '../../../../src/jobs/common/decodeJob.ts';
import type { Job } from '../../../../src/jobs/common/job.ts';
import { buildJobRow, describeErrorCode } from '../../../../src/jobs/common/jobRow.ts';
import { buildJobView } from '../../../../src/features/details/common/buildJobView.ts';
import { parseRequest } from '../../../../src/language/request/requestFile.ts';
import { factLines, factSheet } from '../../../../src/features/submit/common/factSheet.ts';
import { jobAnswer, listAnswer, readToolInput } from '../../../../src/features/agents/common/tools.ts';
import { maskAddresses } from '../../../../src/base/webAddress.ts';
import { jobCurl } from '../../../../src/jobs/node/curl.ts';
import { encodeListQuery } from '../../../../src/jobs/node/api/listQuery.ts';
import { KeyStore } from '../../../../src/connections/node/keyStore.ts';
import { WorkSlices } from '../../../../src/base/clock.ts';
import { BatchLedger } from '../../../../src/features/submit/node/journal/batchLedger.ts';
import { Journal } from '../../../../src/jobs/node/journal/journal.ts';
import { recordLine } from '../../../../src/jobs/node/journal/recordLine.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { finish } from '../../../support/finish.ts';
import { sarifOf } from '../../../support/command/sarifOf.ts';
import { KeptLog } from '../../../support/keptLog.ts';
import { MemorySecrets } from '../../../support/states/memorySecrets.ts';
import { aNewSubmission } from '../../features/submit/node/aSubmission.ts';
import { workConnection as connection } from '../../../support/builders/workConnection.ts';

// Attacks designed only from the interface and the guarantees, each on something not tested before.

function factsOf(body: string, audioUrl?: string) {
  return new WorkSlices().run(factSheet([{ body, audioUrl }], { ...connection, byteLength: (text) => text.length }));
}

suite('misleading addresses in bodies', () => {
  const hidden: Readonly<Record<string, string>> = {
    'behind a user name with a quotation mark': 'https://good.example"@evil.example/',
    'behind a user name with a space': 'https://good.example @evil.example/',
    'behind a scheme in a user name': 'https://good.example"https:x@evil.example/',
    'behind a byte order mark': '\ufeffhttps://evil.example/',
    'by escapes of the host': 'https://%65vil.example/',
    'with a line break in the scheme': 'ht\ntps://evil.example/',
    'with a tab in the host': 'https://ev\til.example/',
    'without slashes': 'https:evil.example',
    'with backslashes': 'https:\\\\evil.example\\in',
    'in a query': 'https://good.example/?next=https://evil.example/',
    'after a letter': 'xhttps://evil.example/',
    'in full width': 'https://ｅｖｉｌ.example/',
  };
  for (const [how, address] of Object.entries(hidden)) {
    test(`are shown if they hide ${how}`, async () => {
      for (const body of [{ x: address }, { [address]: 1 }, { audio_url: 'https://a.example', x: [[address]] }]) {
        const { otherAddresses } = await factsOf(JSON.stringify(body), 'https://a.example');
        assert.ok(
          otherAddresses.some((each) => each.includes('evil.example')),
          otherAddresses.join(),
        );
      }
    });
  }

  test('are shown in ASCII, so that no letter looks like another', async () => {
    const { otherAddresses } = await factsOf('{"x":"https://\u0430pi.example.com/\u202e"}');
    assert.deepEqual(otherAddresses, ['xn--pi-6kc.example.com/%E2%80%AE']);
  });

  test('are shown even within an invalid audio URL, which counts as no audio', async () => {
    for (const audioUrl of [
      'file:///etc/passwd',
      'data:audio/wav;base64,AAAA',
      'see https://evil.example/a',
      'https://',
    ]) {
      const facts = await factsOf(JSON.stringify({ audio_url: audioUrl }), audioUrl);
      assert.deepEqual(facts.audioHosts, [], audioUrl);
      assert.match(factLines(facts).join('\n'), /Audio: no readable address/);
      const written = JSON.stringify(audioUrl);
      const hidden = audioUrl.includes('evil') ? ['evil.example/a'] : [];
      assert.deepEqual(facts.otherAddresses, [written, ...hidden], audioUrl);
    }
  });

  test('are shown next to a string of several megabytes', async () => {
    const body = JSON.stringify({ a: '\\"x'.repeat(2_000_000), b: 'https://evil.example' });
    assert.deepEqual((await factsOf(body)).otherAddresses, ['evil.example']);
  });
});

suite('settings', () => {
  test('never send the key over plain http to another machine, or to another host than the one shown', () => {
    for (const url of [
      'https://good.example@evil.example',
      'https://good.example\\@evil.example',
      'http://localhost.evil.example',
      'http://127.0.0.1.evil.example',
      'http://127.1.2.3',
      'http://0.0.0.0',
      'http://[::ffff:127.0.0.1]',
      'http://localhost.',
      'http://a.localhost',
      'http://localhost@evil.example',
      'https:///',
      'https://evil.example?',
      'ftp://evil.example',
    ]) {
      const checked = checkBaseUrl(url);
      // In a URL a backslash is a slash, so the address shown is the one used.
      const isTold = checked.type === 'good' && checked.text === 'https://good.example/@evil.example';
      assert.ok(checked.type === 'bad' || isTold, `${url}: ${JSON.stringify(checked)}`);
    }
    assert.deepEqual(checkBaseUrl('http://0x7f.1:80/'), { type: 'good', text: 'http://127.0.0.1' });
  });

  test('with the names of object members lose no key and change no object', async () => {
    const keys = new KeyStore(new MemorySecrets());
    const names = ['__proto__', 'constructor', 'toString', 'a/b', '["a","b"]', 'key ["x"]'];
    for (const name of names) await keys.set({ ...connection, name }, `key of ${name}`);
    for (const name of names) assert.equal(await keys.get({ ...connection, name }), `key of ${name}`);
    assert.deepEqual((await keys.list()).map((each) => each.name).toSorted(), names.toSorted());
    for (const name of names) await keys.forget(name);
    assert.deepEqual(await keys.list(), []);
    assert.equal(({} as { readonly sesame?: unknown }).sesame, undefined);
  });

  test('never label an error code over several lines or in reverse', () => {
    assert.equal(describeErrorCode(7, { '7': 'ok\n\u202eService: done' }), 'ok Service: done');
    assert.equal(describeErrorCode(7, JSON.parse('{"__proto__":{"7":"x"}}') as Record<string, string>), 'error 7');
  });
});

suite('files', () => {
  test('of the journal give no access to other files, whatever their content', async (context) => {
    const folder = await mkdtemp(join(tmpdir(), 'tj-attack-'));
    context.after(() => rm(folder, { recursive: true }));
    const journal = new Journal(join(folder, 'submissions'), new FakeClock(), new KeptLog());
    await journal.add(connection, aNewSubmission());
    const own = journal.folderOf(connection);
    const source = { type: 'files', files: [] } as const;
    const plan = {
      connection: 'Work',
      origin: 'https://api.example.com',
      total: 1,
      source,
      skipped: [],
      startedAtMs: 0,
    };
    const { id: outside } = await BatchLedger.create(folder, plan);
    for (const id of [`../../../${outside}`, `..\\..\\..\\${outside}`, join(folder, outside), '\0', '']) {
      const found = await BatchLedger.find([join(own, 'batches')], id);
      assert.equal(await found.read().catch(() => undefined), undefined, id);
    }
    const segment = (await readdir(join(own, 'journal')))[0] ?? '';
    const hostile = [
      'null',
      '[]',
      '{"__proto__":{"polluted":1}}',
      '{"type":"entry","key":{}}',
      '{"type":"constructor"}',
    ];
    await writeFile(
      join(own, 'journal', segment),
      hostile.map((json) => recordLine(JSON.parse(json) as object)).join(''),
      { flag: 'a' },
    );
    const { submissions, damaged } = await journal.read(connection);
    assert.deepEqual([submissions.length, damaged], [1, hostile.length]);
    assert.equal(({} as { readonly polluted?: unknown }).polluted, undefined);
  });

  test('with invalid names break no report', () => {
    const request = parseRequest('{}');
    const report = sarifOf('a\ud800/\n::error::.json', request, [
      { code: 'schema/type', severity: 'error', message: '[x](y)', place: { path: [], part: 'value' } },
    ]);
    assert.match(report, /"uri": "a%EF%BF%BD\/%0A%3A%3Aerror%3A%3A\.json"/);
    assert.doesNotThrow(() => void JSON.parse(report));
  });
});

suite('arguments of commands', () => {
  const strange: readonly unknown[] = [
    undefined,
    null,
    0,
    'job',
    [],
    {},
    () => {},
    Symbol('job'),
    { type: '__proto__' },
    { type: 'job' },
    { type: 'job', kind: {}, id: [] },
    { type: 'job', kind: '__proto__', id: 'constructor' },
    { type: 'group', key: { kind: '../..', status: {} } },
    { type: 'unreadable', key: { kind: 'live', status: undefined }, place: Number.NaN },
    { type: 'unreadable', key: { kind: 'live' }, place: -1 },
    { type: 'unreadable', key: { kind: 'live' }, place: '0' },
    Object.create(null),
    JSON.parse('{"__proto__":{"type":"job","kind":"live","id":"x"}}'),
  ];
  const store = { get: (): undefined => undefined, list: () => ({ jobs: { entries: [] } }) };

  for (const [index, given] of strange.entries()) {
    test(`are read as rows of the view or ignored (${index})`, () => {
      const node = asTreeNode(given);
      if (node !== undefined) assert.ok(['job', 'unreadable'].includes(node.type));
      assert.deepEqual(entriesOf(rowsOf([given, [given, ...strange]], []), store), []);
    });
  }

  test('of tools add no further parameters to a query', () => {
    const input = readToolInput(
      'listJobs',
      JSON.parse('{"kind":"live","limit":1e999,"metadata":{"__proto__":"x","a&limit=9":"b#\u2028"}}'),
    );
    const query = encodeListQuery(
      { customMetadata: input.metadata ?? {} },
      { ...connection, metadataFormat: 'brackets' },
    );
    const names = [...new URLSearchParams(query).keys()];
    assert.ok(
      names.every((name) => /^custom_metadata\[.+\]$/.test(name)),
      names.join(),
    );
    assert.ok(!query.includes('#') && !query.includes('\u2028'));
    assert.equal(Object.getPrototypeOf(input.metadata ?? {}), Object.prototype);
  });
});

suite('responses', () => {
  /** Jobs that a service may send, each with the worst values for some field. */
  const items: Readonly<Record<string, string>> = {
    'from the end of time':
      '{"id":"1","kind":"pre-recorded","created_at":"+275760-09-13T00:00:00.000Z","completed_at":"-271821-04-20T00:00:00.000Z"}',
    'from the year 9999':
      '{"id":"1","kind":"live","created_at":"9999-12-31T23:59:59.999Z","completed_at":"0000-01-01T00:00:00Z"}',
    'of half a character': String.raw`{"id":"1","kind":"\ud800","status":"\udc00","custom_metadata":{"name":"\ud83d"}}`,
    'named like what every object has':
      '{"id":"__proto__","kind":"constructor","status":"toString","error_code":1,"custom_metadata":{"__proto__":"x","name":{"toString":1}}}',
    'with itself as parameters':
      '{"id":"1","kind":"live","request_params":{"language_config":{"languages":{"length":9e9}},"callback_config":"x","channels":-0}}',
    'that is a formula': '{"id":"=1+1","kind":"live","custom_metadata":{"name":"\\t=cmd|calc"},"request_id":"@x;=1"}',
    'with numbers past all bounds': '{"id":1e999,"kind":"live","version":-1e999,"error_code":9007199254740993}',
    'that echoes a request with a million switches': `{"id":"1","kind":"pre-recorded","request_params":{${Array.from({ length: 20_000 }, (_, index) => `"s${index}":true`).join(',')}}}`,
  };
  const facts = { title: 'x', nowMs: 0, locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };
  for (const [what, raw] of Object.entries(items)) {
    test(`with a job ${what} are shown, copied, exported and passed to agents`, () => {
      const entry = decodeJob(JSON.parse(raw), raw, 'live', () => undefined);
      if (entry.type === 'unreadable') return assert.equal(entry.raw, raw);
      const job: Job = entry;
      assert.doesNotMatch(JSON.stringify(buildJobRow(job, { ...facts, labelKeys: ['name'] })), /undefined|NaN|\\n/);
      assert.ok(buildJobView(job, facts).sections.length > 0);
      assert.match(makeCsvForm({ withParameters: true, metadataKeys: ['name', '__proto__'] }).record(job), /\r\n$/);
      assert.doesNotMatch(makeCsvForm().record(job), /(?:^|[,;\t"])[=@]/);
      assert.ok(JSON.parse(finish(listAnswer([job], false))));
      for (const includeResult of [false, true]) {
        assert.ok(jobAnswer(job, { includeResult }).data.length < 21_000);
      }
      try {
        assert.match(jobCurl(job, connection), /^#|^curl/m);
      } catch (error) {
        // A time that no query can express is reported in a sentence.
        assert.ok(error instanceof ParameterError || isFailure(error), String(error));
      }
      return undefined;
    });
  }

  test('of only slashes and backslashes are masked in a short time', () => {
    for (const text of [
      'https:' + '\\'.repeat(60_000),
      'x https:' + '\\/'.repeat(30_000),
      'a:'.repeat(30_000),
      '//'.repeat(30_000),
      '?a='.repeat(20_000),
    ]) {
      const before = process.threadCpuUsage().user;
      maskAddresses(text);
      assert.ok(process.threadCpuUsage().user - before < 1e6, text.slice(0, 20));
    }
  });
});
