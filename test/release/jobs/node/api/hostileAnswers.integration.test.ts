import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startHostileServer } from '../../../../support/hostile/hostileServer.ts';
import { sufferAnswers } from '../../../../unit/jobs/node/api/hostileSuffering.ts';
import { exposeGarbageCollection } from '../../../../support/hostile/exposeGarbageCollection.ts';

exposeGarbageCollection();
const server = await startHostileServer();
after(() => server.stop());

test('no answer of many megabytes blocks, fills memory, or tells the key', async () => {
  const { effects, wrong } = await sufferAnswers(server.origin, ({ to, weight }) => {
    if (weight !== 'heavy') return [];
    return to === 'both' ? ['GET', 'POST'] : [to];
  });
  assert.deepEqual(wrong, []);
  assert.ok(effects >= 100, String(effects));
});
