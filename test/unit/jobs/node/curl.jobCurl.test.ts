import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { promisify } from 'node:util';
import { decodePage } from '../../../../src/jobs/common/decodePage.ts';
import { jobCurl } from '../../../../src/jobs/node/curl.ts';
import { startSampleService, type SampleService } from '../../../../src/sample/sampleService.ts';
import type { Connection } from '../../../../src/connections/common/connection.ts';
import { jobFrom } from '../../features/details/common/jobFrom.ts';
import { connectionDefaults } from '../../../support/builders/workConnection.ts';

const connection: Connection = {
  ...connectionDefaults,
  name: 'Test',
  baseUrl: 'https://api.example.com/base',
  apiKeyHeader: 'x-my-key',
};

const urlOf = (item: object): string =>
  /--url '([^']+)'/.exec(jobCurl(jobFrom({ id: 'x', ...item }), connection))?.[1] ?? '';

test('the command queries the list of the job’s kind around its creation', () => {
  assert.equal(
    urlOf({ kind: 'live', status: 'done', created_at: '2026-11-20T10:00:00.500Z' }),
    'https://api.example.com/base/v2/live?limit=100&before_date=2026-11-20T10%3A00%3A01.500Z&after_date=2026-11-20T09%3A59%3A59.500Z',
  );
});

test('without a creation time the command queries by status, and without a known status the newest jobs', () => {
  assert.equal(
    urlOf({ kind: 'pre-recorded', status: 'error' }),
    'https://api.example.com/base/v2/pre-recorded?limit=100&status=error',
  );
  assert.equal(
    urlOf({ kind: 'pre-recorded', status: 'odd' }),
    'https://api.example.com/base/v2/pre-recorded?limit=100',
  );
});

test('a kind without its own list is queried in the combined list', () => {
  assert.equal(urlOf({ kind: 'batch' }), 'https://api.example.com/base/v2/transcription?limit=100');
});

test('the key is a variable in the connection’s header', () => {
  assert.match(jobCurl(jobFrom({ id: 'x', kind: 'live' }), connection), /^x-my-key: \$TRANSCRIPTION_API_KEY$/m);
});

const curl = spawnSync('curl', ['--version']).status === 0;
let service: SampleService;
before(async () => {
  service = await startSampleService({ count: 500 });
});
after(() => service.stop());

test('the command finds the job in a shell', { skip: !curl && 'there is no curl here' }, async () => {
  const id = service.add({ kind: 'live', status: 'done', createdAt: Date.parse('2026-09-01T12:00:00.123Z') });
  const job = jobFrom({ id, kind: 'live', created_at: '2026-09-01T12:00:00.123Z' });
  const command = jobCurl(job, { ...connection, baseUrl: service.baseUrl, apiKeyHeader: 'x-service-key' });
  const env = { ...process.env, TRANSCRIPTION_API_KEY: service.key };
  const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
  const { entries } = decodePage(stdout, 'live');
  assert.ok(entries.some((entry) => entry.type === 'job' && entry.id === id));
});
