import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { leastOverdueMs, type OverdueLimit } from '../../../../src/domain/attention/overdue.ts';
import { KeptLimits } from '../../../../src/service/attention/keptLimits.ts';
import { FakeClock } from '../../../support/fakeClock/fakeClock.ts';
import { JsonMemory } from '../../../support/states/jsonMemory.ts';

const work = { name: 'Work', baseUrl: 'https://api.example.com/base' };
const dayMs = 24 * 3_600_000;
const measured: OverdueLimit = {
  type: 'measured',
  afterMs: leastOverdueMs,
  p95Ms: 4000,
  finished: 200,
  isNewest: true,
};

describe('KeptLimits', () => {
  it('are kept for a day, per connection and kind', async () => {
    const clock = new FakeClock();
    const limits = new KeptLimits(new JsonMemory(), clock);
    await limits.write(work, 'live', measured);
    assert.deepEqual(limits.read(work, 'live'), measured);
    assert.equal(limits.read(work, 'pre-recorded'), undefined);
    assert.equal(limits.read({ ...work, name: 'Other' }, 'live'), undefined);
    await clock.advance(dayMs - 1);
    assert.deepEqual(limits.read(work, 'live'), measured);
    await clock.advance(1);
    assert.equal(limits.read(work, 'live'), undefined);
  });

  it('keep that there was too little to measure, and not what the user set', async () => {
    const limits = new KeptLimits(new JsonMemory(), new FakeClock());
    const unmeasured: OverdueLimit = { type: 'unmeasured', afterMs: leastOverdueMs, finished: 3 };
    await limits.write(work, 'live', unmeasured);
    await limits.write(work, 'live', { type: 'set', afterMs: 1 });
    assert.deepEqual(limits.read(work, 'live'), unmeasured);
    for (const limit of [
      { ...unmeasured, ignoresBefore: true },
      { ...measured, ignoresBefore: true },
    ]) {
      await limits.write(work, 'live', limit);
      assert.deepEqual(limits.read(work, 'live'), limit);
    }
  });

  it('that cannot be right are measured anew', async () => {
    const clock = new FakeClock();
    const memory = new JsonMemory();
    const limits = new KeptLimits(memory, clock);
    await limits.write(work, 'live', measured);
    const [name = ''] = memory.keys();
    const good = { version: 1, atMs: clock.now(), finished: 200, p95Ms: 4000, isNewest: true };
    for (const bad of [
      7,
      {},
      { ...good, version: 2 },
      { ...good, atMs: clock.now() + 1 },
      { ...good, atMs: Number.NaN },
      { ...good, p95Ms: -1 },
      { ...good, p95Ms: 1e300 },
      { ...good, finished: 201 },
      { ...good, isNewest: 'yes' },
      { ...good, ignoresBefore: 'yes' },
    ]) {
      await memory.update(name, bad);
      assert.equal(limits.read(work, 'live'), undefined, JSON.stringify(bad));
    }
  });

  it('in doubt are measured anew after an hour: a job may have left between two requests', async () => {
    const clock = new FakeClock();
    const limits = new KeptLimits(new JsonMemory(), clock);
    await limits.write(work, 'live', { ...measured, ignoresBefore: true });
    await clock.advance(3_600_000 - 1);
    assert.ok(limits.read(work, 'live'));
    await clock.advance(1);
    assert.equal(limits.read(work, 'live'), undefined);
  });

  it('come with the time from which failures are new, per connection, and of the sample for this session', async () => {
    const memory = new JsonMemory();
    const limits = new KeptLimits(memory, new FakeClock());
    const sample = { name: 'Sample', baseUrl: 'http://sample.invalid' };
    assert.equal(limits.readSince(work), undefined);
    await limits.writeSince(work, 5);
    await limits.writeSince(sample, 7);
    assert.deepEqual([limits.readSince(work), limits.readSince(sample)], [5, 7]);
    const later = new KeptLimits(memory, new FakeClock());
    assert.deepEqual([later.readSince(work), later.readSince(sample)], [5, undefined]);
    await memory.update(memory.keys()[0] ?? '', 'yesterday');
    assert.equal(later.readSince(work), undefined);
  });
});
