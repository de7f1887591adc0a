import { randomUUID } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { originOf } from '../../../src/connections/common/connectionInput.ts';
import { lastPlanKey, wantedKey, type Wanted } from '../../../src/features/deliver/common/delivery.ts';
import { deliveryKey, DeliveryStore } from '../../../src/features/deliver/node/deliveryStore.ts';
import { namedSpeakersKey } from '../../../src/features/details/common/namedSpeakers.ts';
import { storedPageState } from '../../../src/features/details/common/protocol.ts';
import { storedFailures, storedWatchedJobs, watchMemory } from '../../../src/features/watch/common/watchPlan.ts';
import { encodeLayout } from '../../../src/features/board/common/boardStorage.ts';
import { sinceName } from '../../../src/features/attention/node/attentionMonitor.ts';
import { HandledStore } from '../../../src/features/attention/node/handledStore.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { AudioHash } from '../../../src/features/submit/node/audioHash.ts';
import { StoredFilters } from '../../../src/jobs/node/storedFilters.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { BatchLedger } from '../../../src/features/submit/node/journal/batchLedger.ts';
import { Journal } from '../../../src/jobs/node/journal/journal.ts';
import { KeptLog } from '../keptLog.ts';
import { JsonMemory } from './jsonMemory.ts';
import { MemorySecrets } from './memorySecrets.ts';
import { usedProduct } from './usedProduct.ts';

/**
 * Writes everything that this version of the product stores into a folder, using the product's own stores. Settings are
 * not included: users write them.
 */
export async function writeStates(folder: string): Promise<void> {
  const { connection } = usedProduct;
  mkdirSync(folder, { recursive: true });
  const write = (name: string, content: unknown): void =>
    writeFileSync(join(folder, name), `${JSON.stringify(content, undefined, 2)}\n`);

  const memory = new JsonMemory();
  for (const [name, filter] of Object.entries(usedProduct.filters)) await new StoredFilters(memory).write(name, filter);
  await memory.update(watchMemory.jobs, storedWatchedJobs.form(usedProduct.watched));
  await memory.update(watchMemory.failures, storedFailures.form(usedProduct.failures));
  await memory.update(lastPlanKey, usedProduct.deliveryPlan);
  write('workspace.json', memory.content);
  write('page.json', storedPageState(usedProduct.page));

  const clock = { ...systemClock, now: () => usedProduct.atMs };
  const global = new JsonMemory();
  await global.update(sinceName(connection), usedProduct.sinceMs);
  await global.update('board.layout', encodeLayout(usedProduct.layout));
  await global.update(wantedKey, usedProduct.atMs);
  await global.update(namedSpeakersKey, usedProduct.namedSpeakers);
  write('global.json', global.content);

  const handled = new HandledStore(join(folder, 'handled'), clock, new KeptLog());
  await handled.mark(connection, usedProduct.handled, usedProduct.sinceMs);
  await handled.mute(connection, [usedProduct.muted], randomUUID());

  const deliveries = new DeliveryStore(join(folder, 'deliveries'), clock, new KeptLog());
  const { kind, id, label, group } = usedProduct.delivered;
  const origin = originOf(connection.baseUrl);
  const job = deliveryKey({ origin, kind, id });
  const wanted: Wanted = {
    type: 'wanted',
    job,
    group,
    connection: connection.name,
    origin,
    kind,
    id,
    label,
    plan: usedProduct.deliveryPlan,
    pid: process.pid,
    atMs: usedProduct.atMs,
  };
  await deliveries.want([wanted]);
  await deliveries.claim(wanted);
  await deliveries.recordFiles(wanted, [
    { type: 'file', job, group, run: deliveries.run, ...usedProduct.deliveredFile, isNumbered: undefined },
  ]);
  await deliveries.end(wanted, usedProduct.deliveryEnd);

  const secrets = new MemorySecrets();
  const keys = new KeyStore(secrets, { clock });
  await keys.set(connection, usedProduct.key);
  await keys.get(connection);
  // Serialised after the record of its use.
  await keys.set(connection, usedProduct.key);
  const audio = await AudioHash.load(secrets, join(folder, 'submissions'), systemClock);
  write('secrets.json', secrets.content);

  const journal = new Journal(join(folder, 'submissions'), { now: () => usedProduct.atMs }, new KeptLog());
  for (const outcome of usedProduct.outcomes) {
    await journal.settle(connection, await journal.add(connection, usedProduct.submission), outcome);
  }
  const audioHash = audio.of(usedProduct.repeatedAudioUrl);
  const repeated = { ...usedProduct.submission, ...usedProduct.repeated, audioHash };
  await journal.settle(connection, await journal.add(connection, repeated), {
    type: 'accepted',
    status: 201,
    id: 'again',
  });
  const { ledger } = await BatchLedger.create(join(journal.folderOf(connection), 'batches'), usedProduct.plan);
  await ledger.begin();
  for (const { outcome, ...item } of usedProduct.items) {
    await ledger.claim(item);
    await ledger.settle(item.item, outcome);
  }
  await ledger.end({ type: 'cancelled' });
  const folderOfBatches = join(journal.folderOf(connection), 'batches');
  for (const plan of [usedProduct.resubmission, usedProduct.partial])
    await (await BatchLedger.create(folderOfBatches, plan)).ledger.begin();
}
