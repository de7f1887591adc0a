import { pathToFileURL } from 'node:url';
import type { DeliveryPlan, Wanted } from '../../../../../src/features/deliver/common/delivery.ts';
import { deliveryKey } from '../../../../../src/features/deliver/node/deliveryStore.ts';
import type { FileFacts } from '../../../../../src/features/deliver/node/jobFiles.ts';
import { chooseJobLabel } from '../../../../../src/jobs/common/jobRow.ts';
import { KeyMask } from '../../../../../src/platform/http/keyMask.ts';

/** Titles as in the product. */
export const fileFacts: FileFacts = {
  titleOf: (job) => chooseJobLabel(job, ['title'], new Map()),
  keyMask: new KeyMask(),
  names: new Map(),
  link: { origin: 'https://api.example.com', scheme: 'vscode' },
};

/** The files of a job in a folder of the disk are wanted. */
export function wantedJob(origin: string, id: string, folder: string, plan: Partial<DeliveryPlan> = {}): Wanted {
  const kind = 'pre-recorded';
  return {
    type: 'wanted',
    job: deliveryKey({ origin, kind, id }),
    group: 'batch',
    connection: 'Work',
    origin,
    kind,
    id,
    label: id,
    plan: {
      folder: pathToFileURL(folder).href,
      root: undefined,
      formats: ['markdown', 'srt', 'json'],
      languages: ['*'],
      name: '{title}',
      ...plan,
    },
    pid: process.pid,
    atMs: Date.now(),
  };
}
