import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { keyVariable } from '../../../../src/connections/common/connection.ts';
import { submitCurl } from '../../../../src/jobs/node/curl.ts';
import { sentinelKey } from '../../../support/faults/faultRun.ts';
import { startFaultServer } from '../../../support/faults/faultServer.ts';
import { answer } from '../../../support/faults/plays.ts';
import { workConnection } from '../../../support/builders/workConnection.ts';

const missing = ['curl', 'sh'].find((tool) => spawnSync(tool, ['--version']).error !== undefined);
const skip = missing === undefined ? false : `there is no ${missing} here`;

for (const body of [
  '{"audio_url":"https://audio.example/a.wav"}',
  '{\n  "audio_url": "https://audio.example/a.wav?a=1&b=$HOME",\n  "x": "`id` $(id) \'\\"\\\\ ünï ☃ %s !"\n}\n',
  '["JSON",\n"JSON_"]\nJSON\nJSON_',
]) {
  test(`the copied command submits ${JSON.stringify(body).slice(0, 40)}…`, { skip }, async () => {
    const bodies: string[] = [];
    const service = await startFaultServer((stage) => {
      bodies.push(stage.body);
      answer(201, '{"id":"x"}')(stage);
    });
    try {
      const connection = { ...workConnection, baseUrl: `${service.origin}/base`, apiKeyHeader: 'x-own-key' };
      const command = submitCurl(connection, body);
      assert.ok(!command.includes(sentinelKey));
      const env = { ...process.env, [keyVariable]: 'sk-1 "quoted"' };
      const { stdout } = await promisify(execFile)('sh', ['-c', command], { env });
      assert.equal(stdout, '{"id":"x"}');
      // The shell's here-document always ends the last line.
      assert.deepEqual(bodies, [body.endsWith('\n') ? body : `${body}\n`]);
      const [request, ...others] = service.seen;
      assert.deepEqual([request?.method, request?.path, others], ['POST', '/base/v2/pre-recorded', []]);
      const headers = request?.rawHeaders ?? [];
      assert.ok(headers.includes('sk-1 "quoted"'));
      assert.ok(headers.includes('application/json'));
    } finally {
      await service.stop();
    }
  });
}
