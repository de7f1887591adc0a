// A process like a window that continues a batch. Arguments: folder, batch, base URL of the service, number of
// requests, kind of batch.
import { join } from 'node:path';
import { isPending } from '../../../../../src/features/submit/common/batch.ts';
import { BatchLedger } from '../../../../../src/features/submit/node/journal/batchLedger.ts';
import { BatchStore } from '../../../../../src/features/submit/node/journal/batchStore.ts';
import { Journal } from '../../../../../src/jobs/node/journal/journal.ts';
import { runBatch } from '../../../../../src/features/submit/node/runBatch.ts';
import { Submitter } from '../../../../../src/features/submit/node/submitter.ts';
import { faultRun } from '../../../../support/faults/faultRun.ts';
import { KeptLog } from '../../../../support/keptLog.ts';
import { batchRequests } from './batchRequests.ts';
import { workConnection } from '../../../../support/builders/workConnection.ts';

const [folder = '', id = '', baseUrl = '', total = '0', kind = 'files'] = process.argv.slice(2);
const { api, client } = faultRun(baseUrl);
const log = new KeptLog();
const journal = new Journal(join(folder, 'journal'), Date, log);
const submitter = new Submitter(journal, Date, log);
const owner = { ...workConnection, baseUrl };
const ledger = BatchLedger.at(folder, id);
await ledger.begin();
const batch = await new BatchStore(journal, Date, log).read({ id, owner, ledger });
const { signal } = new AbortController();
const end = await runBatch({
  ledger,
  requests: batchRequests(Number(total), kind === 'resubmit' ? kind : 'files').filter(
    ({ item }) => batch !== undefined && isPending(batch, item),
  ),
  submit: (request) => submitter.submit({ connection: owner, sink: api }, { ...request, batch: id }, '', signal),
  signal,
  onSettled: () => undefined,
});
client.dispose();
process.exitCode = end.type === 'done' ? 0 : 3;
process.disconnect();
