import assert from 'node:assert/strict';
import type { TreeNode } from '../../../src/features/tree/common/jobTree.ts';
import { JobTreeItems } from '../../../src/features/tree/editor/jobTreeItems.ts';
import { JobTreeProvider } from '../../../src/features/tree/editor/jobTreeProvider.ts';
import { startSampleService } from '../../../src/sample/sampleService.ts';
import { JobStore } from '../../../src/jobs/node/store/jobStore.ts';
import { faultRun } from '../../support/faults/faultRun.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeptLog } from '../../support/keptLog.ts';

describe('The rows of a service with odd jobs', () => {
  it('show two jobs with one id, unknown statuses and kinds, and an unreadable item', async () => {
    const key = 'sesame';
    const sample = await startSampleService({ count: 0, key });
    const { lists, client, clock } = faultRun(sample.baseUrl, 30_000, key);
    const id = '11111111-2222-4333-8444-555555555555';
    const titled = (title: string, fields: object) =>
      ({ status: 'done', fields: { ...fields, custom_metadata: { title } } }) as const;
    sample.add({ id, kind: 'live', ...titled('Twin, live', {}) });
    sample.add({ id, kind: 'pre-recorded', ...titled('Twin, recorded', {}) });
    sample.add({ kind: 'live', ...titled('Put away', { status: 'archived' }) });
    sample.add({ kind: 'live', ...titled('Of a new kind', { kind: 'batch' }) });
    sample.add({ kind: 'live', status: 'done', fields: { id: null } });
    const store = new JobStore(() => ({ limit: 20, groupBy: 'none', listSource: 'byKind' }), clock, new KeptLog());
    store.use(lists);
    const source = {
      isSample: false,
      listSource: 'byKind',
      filter: store.filter,
      kinds: () => store.kinds(),
      lists: (kind: string) => store.lists(kind),
      list: store.list.bind(store),
    } as const;
    const items = new JobTreeItems({
      store,
      facts: () => ({
        connection: 'Work',
        host: '',
        labelKeys: ['title'],
        errorLabels: {},
        locale: { language: 'en', timeZone: 'UTC' },
        nowMs: clock.now(),
      }),
    });
    const provider = new JobTreeProvider({ store, source, items, isBlocked: () => false, clock: new FakeClock() });
    const rowsBelow = async (node?: TreeNode): Promise<readonly TreeNode[]> => {
      const children = await provider.getChildren(node);
      const below = await Promise.all(
        children.filter(({ type }) => type === 'kind' || type === 'group').map((each) => rowsBelow(each)),
      );
      return [...children, ...below.flat()];
    };
    try {
      // An unknown kind arrives with the jobs of the known kinds.
      await rowsBelow();
      const rows = (await rowsBelow()).map((node) => provider.getTreeItem(node));
      const labels = rows.map(({ label }) => (typeof label === 'string' ? label : (label?.label ?? '')));
      for (const label of ['Twin, live', 'Twin, recorded', 'Put away', 'batch', 'Of a new kind', 'Unreadable item']) {
        assert.ok(labels.includes(label), `${label} has no row; there are ${labels.join(' | ')}`);
      }
      const ids = rows.map((row) => row.id);
      assert.equal(new Set(ids).size, ids.length, 'the editor tells rows apart by their ids');
    } finally {
      provider.dispose();
      store.dispose();
      client.dispose();
      await sample.stop();
    }
  });
});
