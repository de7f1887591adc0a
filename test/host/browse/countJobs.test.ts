import assert from 'node:assert/strict';
import { answer } from '../../support/faults/plays.ts';
import { answering } from '../submit/answers.ts';
import { openBrowseScene, type BrowseScene } from './browseScene.ts';

const key = { kind: 'pre-recorded', status: 'done' } as const;
const group = { type: 'group', key } as const;

describe('Count Jobs', () => {
  let scene: BrowseScene;
  before(async () => (scene = await openBrowseScene(1500)));
  after(() => scene.close());

  it('shows the exact number of a group with few requests', async () => {
    await scene.store.load(key);
    scene.takeRequests();
    await scene.run('countJobs', group);
    const requests = scene.takeRequests();
    const response = await fetch(`${scene.sample.baseUrl}/v2/pre-recorded?status=done&limit=10000`, {
      headers: { 'x-service-key': scene.sample.key },
    });
    const { items } = (await response.json()) as { readonly items: readonly unknown[] };
    assert.equal(scene.store.list(key).exact?.count, items.length);
    // One request checks that the service applies the filter.
    const probes = requests.filter((request) => !request.endsWith('status=done'));
    assert.deepEqual(probes, ['GET /v2/pre-recorded?offset=0&limit=2&status=queued']);
    assert.ok(requests.length <= 2 * Math.log2(items.length) + 4 + 1, `${requests.length} requests`);
  });

  it('reports why a group cannot be counted', async () => {
    scene.fault = () => answer(404, '{"message":"gone fishing"}');
    const shown = await answering(
      () => scene.run('countJobs', group),
      [],
      (all) => all.length > 0,
    );
    scene.fault = () => undefined;
    assert.match(shown.map(({ text }) => text).join(), /gone fishing/);
  });
});
