import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { storedPageState } from '../../../src/domain/protocol.ts';
import { storedFailures, storedWatchedJobs } from '../../../src/domain/watch/watchPlan.ts';
import { StoredFilters } from '../../../src/service/connection/storedFilters.ts';
import { KeyStore } from '../../../src/service/connection/keyStore.ts';
import { watchMemory } from '../../../src/service/watch/watchStore.ts';
import { BatchLedger } from '../../../src/service/journal/batchLedger.ts';
import { Journal } from '../../../src/service/journal/journal.ts';
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

  const secrets = new MemorySecrets();
  await new KeyStore(secrets).set(connection, usedProduct.key);
  write('secrets.json', secrets.content);

  const journal = new Journal(join(folder, 'submissions'), { now: () => usedProduct.atMs }, new KeptLog());
  for (const outcome of usedProduct.outcomes) {
    await journal.settle(connection, await journal.add(connection, usedProduct.submission), outcome);
  }
  const { ledger } = await BatchLedger.create(join(journal.folderOf(connection), 'batches'), usedProduct.plan);
  await ledger.begin();
  for (const { outcome, ...item } of usedProduct.items) {
    await ledger.claim(item);
    await ledger.settle(item.item, outcome);
  }
  await ledger.end({ type: 'cancelled' });
}
