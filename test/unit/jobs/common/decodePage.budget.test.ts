import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { decodePage } from '../../../../src/jobs/common/decodePage.ts';
import { formatJson, canonicalizeJson } from '../../../../src/base/json/formatJson.ts';
import { liveItem } from '../../../support/builders/jobItem.ts';
import { disturbingInLine, hostileText } from '../../../support/hostile/hostileText.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';

function pageOf(items: readonly unknown[], next: string | null = null): string {
  return JSON.stringify({ first: '', current: '', next, items });
}

const nested = (depth: number): string => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`;

describe('A deeply nested item', () => {
  const pageWith = (metadata: string): string =>
    `{"first":"","current":"","next":null,"items":[{"id":"x","custom_metadata":${metadata}}]}`;

  it('is a job up to 200 levels', () => {
    assert.equal(decodePage(pageWith(nested(199)), 'live').entries[0]?.type, 'job');
  });

  it('is an unreadable item beyond 200 levels, kept unchanged and reported once', () => {
    const { entries, deviations } = decodePage(pageWith(nested(200)), 'live');
    assert.deepEqual(entries, [{ type: 'unreadable', raw: `{"id":"x","custom_metadata":${nested(200)}}` }]);
    assert.deepEqual(deviations, [{ path: 'items[]', kind: 'tooDeep' }]);
  });

  it('is recognized by its levels, not by its number of brackets', () => {
    const wide = JSON.stringify(Array.from({ length: 500 }, () => ({ '[[[': ['{{{'] })));
    assert.equal(decodePage(pageWith(wide), 'live').entries[0]?.type, 'job');
  });

  it('becomes a document in proportion to its size', () => {
    const brackets = `[${Array.from({ length: 2_000 }, () => `${'['.repeat(150)}${']'.repeat(150)}`).join(',')}]`;
    for (const text of [formatJson(brackets), canonicalizeJson(brackets)]) {
      assert(text.length < 16 * brackets.length, `${text.length} of ${brackets.length}`);
      assert.equal(text.replaceAll(/\s/g, ''), brackets);
    }
  });
});

describe('Names and IDs that a service invents', () => {
  it('never appear in the reported deviations', () => {
    const key = 'k3y-0123456789';
    fc.assert(
      fc.property(hostileText, (name) => {
        const field = `${name}${key}`;
        const items = [
          liveItem({ [field]: 1 }, { [field]: 2, language_config: { [field]: 3 } }),
          { ...liveItem(), status: field, kind: field, id: field },
        ];
        const { deviations } = decodePage(pageOf(items), 'live');
        assert(deviations.length > 0);
        assert.doesNotMatch(JSON.stringify(deviations), /k3y/);
        for (const { path } of deviations) assert.match(path, /^[\w.[\]]+(?:\.\*)?$/);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('cause only a few reports, however many they are', () => {
    const item = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`field-${index}`, index]));
    const { deviations } = decodePage(
      pageOf(Array.from({ length: 20 }, (_, id) => ({ ...item, id: `${id}` }))),
      'live',
    );
    assert(deviations.length < 20, String(deviations.length));
  });

  it('identify a job only if they are one short line', () => {
    fc.assert(
      fc.property(hostileText, (id) => {
        const [entry] = decodePage(pageOf([{ id }]), 'live').entries;
        if (entry?.type === 'job') {
          assert.equal(entry.id, id);
          assert.doesNotMatch(id, disturbingInLine);
          assert(id.length <= 500);
        } else {
          assert(id.trim() === '' || id.length > 500 || disturbingInLine.test(id), JSON.stringify(id));
        }
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(decodePage(`{"items":[{"id":1${'0'.repeat(600)}}]}`, 'live').entries[0]?.type, 'unreadable');
  });
});
