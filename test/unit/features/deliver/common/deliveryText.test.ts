import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  foldDeliveries,
  type Delivery,
  type DeliveryEnd,
  type DeliveryRecord,
} from '../../../../../src/features/deliver/common/delivery.ts';
import {
  batchFilesText,
  deliveryText,
  summarizeDeliveries,
} from '../../../../../src/features/deliver/common/deliveryText.ts';
import { wantedJob } from '../node/wantedJobs.ts';

const locale = { language: 'en', timeZone: 'UTC' };

type DeliveredJob = readonly [id: string, files: number, end: DeliveryEnd];

function textOf(...jobs: readonly DeliveredJob[]): string {
  return deliveryText(summarizeDeliveries([...deliveriesOf(jobs).values()]), 'out', locale);
}

function deliveriesOf(jobs: readonly DeliveredJob[]): ReadonlyMap<string, Delivery> {
  const records = jobs.flatMap(([id, files, end]): readonly DeliveryRecord[] => {
    const wanted = wantedJob('https://api.example.com', id, '/out');
    const { job, group, atMs } = wanted;
    const common = { job, group, run: '' };
    const file = {
      type: 'file',
      ...common,
      folder: '',
      name: '',
      hash: '',
      isNumbered: id.startsWith('taken'),
    } as const;
    return [
      wanted,
      // A name that was taken is recorded again.
      ...Array.from({ length: files }, (_, index) => ({ ...file, format: 'srt', language: String(index) }) as const),
      ...Array.from({ length: files }, (_, index) => ({ ...file, format: 'srt', language: String(index) }) as const),
      { type: 'ended', ...common, label: id === 'named' ? 'Its title' : undefined, end, atMs },
    ];
  });
  return foldDeliveries(records);
}

const saved = { type: 'saved', remarks: [] } as const;

test('says how many files are saved, and where', () => {
  assert.equal(textOf(['a', 1, saved]), '1 file is saved in out.');
  assert.equal(textOf(['a', 3, saved]), '3 files are saved in out.');
  assert.equal(textOf(['a', 3, saved], ['b', 1000, saved]), '1,003 files of 2 jobs are saved in out.');
  assert.equal(
    textOf(['a', 1, saved], ['taken', 2, saved]),
    '3 files of 2 jobs are saved in out. With a number, because there are other files of that name: 2.',
  );
});

test('says once what is missing, and for which jobs', () => {
  const without = { type: 'saved', remarks: ['The translation failed.'] } as const;
  assert.equal(
    textOf(['a', 1, without], ['b', 1, without]),
    '2 files of 2 jobs are saved in out. a, b: The translation failed.',
  );
  const ids = Array.from({ length: 20 }, (_, index) => `j${index}`);
  assert.equal(
    textOf(...ids.map((id) => [id, 0, { type: 'noResult', isKnown: false }] as const)),
    'The service sent no result for j0, j1, j2 and 17 more.',
  );
  assert.equal(
    textOf(['a', 1, saved], ['b', 0, { type: 'failed' }], ['c', 0, { type: 'abandoned' }]),
    '1 file is saved in out. Failed: b. Not finished and no longer watched: 1.',
  );
  assert.equal(textOf(['a', 0, { type: 'failed' }], ['named', 0, { type: 'failed' }]), 'Failed: a, Its title.');
  const many = { type: 'saved', remarks: ['One.', 'Two.', 'Three.', 'Four.', 'Five.'] } as const;
  assert.equal(textOf(['a', 1, many]), '1 file is saved in out. a: One. a: Two. a: Three. Further remarks: 2.');
});

test('says of how many jobs of a batch files were saved in which folder, and of how many none', () => {
  const deliveries = new Map([
    ...deliveriesOf([
      ['a', 2, saved],
      ['b', 1, saved],
      ['c', 0, saved],
      ['d', 0, { type: 'noResult', isKnown: false }],
      ['e', 0, { type: 'failed' }],
      ['f', 0, { type: 'noResult', isKnown: true }],
    ]),
    ...foldDeliveries([wantedJob('https://api.example.com', 'g', '/out')]),
  ]);
  const nameOf = (folder: string): string => folder.slice(folder.lastIndexOf('/') + 1);
  const byUser = new Map([
    [wantedJob('https://api.example.com', 'a', '/out').job, 'file:///own'],
    [wantedJob('https://api.example.com', 'f', '/out').job, 'file:///own'],
  ]);
  assert.equal(
    batchFilesText(deliveries, byUser, nameOf, locale),
    'Files of 2 jobs saved in out · Files of 1 job saved in own · Not saved yet: 1 · Not saved: 2',
  );
  assert.equal(batchFilesText(new Map(), new Map(), nameOf, locale), '');
  const remark = (...remarks: readonly string[]) => ({ type: 'saved', remarks }) as const;
  const filesText = (...jobs: readonly DeliveredJob[]) => batchFilesText(deliveriesOf(jobs), new Map(), nameOf, locale);
  assert.equal(
    filesText(['a', 1, saved], ['b', 1, remark('The translation failed.')]),
    'Files of 2 jobs saved in out · b: The translation failed.',
  );
  assert.equal(
    filesText(['a', 1, remark('One.')], ['b', 1, remark('One.')]),
    'Files of 2 jobs saved in out · 2 of them: One.',
  );
  assert.equal(
    filesText(['a', 1, remark('One.', 'Two.')], ['b', 1, remark('One.')]),
    'Files of 2 jobs saved in out · 2 of them with something missing or different',
  );
});
