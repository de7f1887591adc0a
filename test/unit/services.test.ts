import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Actions } from '../../src/services.ts';
import { projectSources } from '../support/sources/projectSources.ts';

describe('The actions of features', () => {
  it('are called by feature, once it has provided them', async () => {
    const actions = new Actions();
    assert.throws(() => actions.browse, /browse provides no actions/u);
    const exported: unknown[] = [];
    actions.provide('browse', { exportJobs: async (what) => void exported.push(what) });
    const what = { text: 'Jobs', slug: 'jobs', batches: () => [] };
    await actions.browse.exportJobs(what);
    assert.deepEqual(exported, [what]);
  });

  it('are provided once', () => {
    const actions = new Actions();
    const browse = { exportJobs: () => Promise.resolve() };
    actions.provide('browse', browse);
    assert.throws(() => actions.provide('browse', browse), /browse has provided its actions already/u);
  });

  it('are provided by every feature that has some', () => {
    const sources = projectSources();
    const features = Object.getOwnPropertyNames(Actions.prototype).filter(
      (name) => Object.getOwnPropertyDescriptor(Actions.prototype, name)?.get !== undefined,
    );
    const provided = [...sources].flatMap(([path, text]) =>
      [...text.matchAll(/actions\.provide\('(\w+)'/gu)].map(([, feature = '']) => {
        assert.ok(path.startsWith(`src/features/${feature}/`), `${path} provides ${feature}`);
        return feature;
      }),
    );
    assert.deepEqual(provided.toSorted(), features.toSorted());
  });
});
