import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storedPageState } from '../../../src/features/details/common/protocol.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/features/watch/common/watchPlan.ts';
import { encodeLayout } from '../../../src/features/board/common/boardStorage.ts';
import { sinceName } from '../../../src/features/attention/node/attentionMonitor.ts';
import { HandledStore } from '../../../src/features/attention/node/handledStore.ts';
import { systemClock } from '../../../src/base/clock.ts';
import { AudioHash } from '../../../src/features/submit/node/audioHash.ts';
import { StoredFilters } from '../../../src/jobs/node/storedFilters.ts';
import { KeyStore } from '../../../src/connections/node/keyStore.ts';
import { watchMemory } from '../../../src/features/watch/node/watchStore.ts';
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
  write('workspace.json', memory.content);
  write('page.json', storedPageState(usedProduct.page));

  const clock = { ...systemClock, now: () => usedProduct.atMs };
  const global = new JsonMemory();
  await global.update(sinceName(connection), usedProduct.sinceMs);
  await global.update('board.layout', encodeLayout(usedProduct.layout));
  write('global.json', global.content);

  const handled = new HandledStore(join(folder, 'handled'), clock, new KeptLog());
  await handled.mark(connection, usedProduct.handled, usedProduct.sinceMs);

  const secrets = new MemorySecrets();
  const keys = new KeyStore(secrets, { clock });
  await keys.set(connection, usedProduct.key);
  await keys.get(connection);
  // Serialised after the record of its use.
  await keys.set(connection, usedProduct.key);
  const audio = await AudioHash.load(secrets);
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
  await (await BatchLedger.create(folderOfBatches, usedProduct.resubmission)).ledger.begin();
}
