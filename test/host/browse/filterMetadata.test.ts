import assert from 'node:assert/strict';
import { askPair, type MetadataCondition } from '../../../src/features/browse/editor/filterMetadataSteps.ts';
import { ParameterError } from '../../../src/base/failure.ts';
import { noFilter } from '../../../src/jobs/common/jobFilter.ts';
import { askForFilter } from '../../../src/features/browse/editor/filterSteps.ts';
import { encodeListQuery } from '../../../src/jobs/node/api/listQuery.ts';
import { listedJob } from '../../support/builders/listedJob.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { acceptRow, hidePick, typeInto, withPicks } from './withPicks.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { anAttention } from '../../unit/features/attention/common/anAttention.ts';
import { nothingHandled } from '../../../src/features/attention/common/handledMarks.ts';

describe('A condition on metadata', () => {
  const noBrackets = ({ key, value }: MetadataCondition): string | undefined =>
    /[[\]]/.test(key + JSON.stringify(value)) ? 'It has characters that cannot be sent. Use others.' : undefined;

  it('that cannot be sent is rejected at the input box, which keeps the input', async () => {
    await withPicks(async (next) => {
      const asked = askPair([], undefined, noBrackets);
      const key = await next();
      typeInto(key, 'room[1]');
      acceptRow(key, 0);
      assert.equal(key.value, 'room[1]');
      assert.deepEqual(
        key.items.map(({ label, detail }) => [label, detail]),
        [
          ['$(error) It has characters that cannot be sent.', 'Use others.'],
          ['$(edit) "room[1]"', undefined],
        ],
      );
      // The error row cannot be selected.
      acceptRow(key, 0);
      typeInto(key, 'room');
      assert.deepEqual(
        key.items.map(({ label }) => label),
        ['$(edit) "room"'],
      );
      acceptRow(key, 0);

      const value = await next();
      typeInto(value, '[2]');
      acceptRow(value, 0);
      assert.match(value.items[0]?.label ?? '', /cannot be sent/);
      assert.equal(value.value, '[2]');
      typeInto(value, 'two');
      acceptRow(value, 0);
      assert.deepEqual(await asked, { type: 'picked', value: { key: 'room', value: 'two' } });
    });
  });

  it('may be nested, typed as JSON, if the service can filter by it', async () => {
    const typed = '{ "city": "Lyon", "floor": 1.50 }';
    for (const metadataFormat of ['json', 'brackets'] as const) {
      await withPicks(async (next) => {
        const asked = askPair([], 'room', ({ key, value }) => {
          try {
            encodeListQuery({ customMetadata: { [key]: value } }, { arrayFormat: 'repeat', metadataFormat });
            return undefined;
          } catch (error) {
            return error instanceof ParameterError ? 'It is nested. Type a text.' : String(error);
          }
        });
        const value = await next();
        typeInto(value, typed);
        assert.deepEqual(
          value.items.map(({ label, description }) => [label, description]),
          [
            ['$(edit) {"city":"Lyon","floor":1.50}', 'as JSON'],
            [`$(edit) "${typed}"`, 'as text'],
          ],
        );
        acceptRow(value, 0);
        if (metadataFormat === 'brackets') {
          assert.equal(value.items[0]?.label, '$(error) It is nested.');
          acceptRow(value, 2);
        }
        const picked = await asked;
        assert.equal(
          JSON.stringify(picked.type === 'picked' ? picked.value.value : picked),
          metadataFormat === 'json' ? '{"city":"Lyon","floor":1.50}' : JSON.stringify(typed),
        );
      });
    }
  });

  it('is suggested from failures that need attention, too, each job counted once', async () => {
    const [listed, failed] = ['listed', 'failed'].map((id) =>
      listedJob({ id, status: 'error', custom_metadata: { customer: `${id} customer` } }),
    );
    assert.ok(listed !== undefined && failed !== undefined);
    await withPicks(async (next) => {
      const asked = askForFilter(
        fakeServices({
          jobs: {
            filter: noFilter,
            jobs: () => [listed].values(),
            get: (_kind, id) => (id === 'listed' ? listed : undefined),
          },
          actions: {
            attention: {
              current: () => anAttention([listed, failed], { marks: { ...nothingHandled, sinceMs: -Infinity } }),
            },
          },
          connections: { current: undefined },
          clock: new FakeClock(),
        }),
        [],
      );
      const aspects = await next();
      acceptRow(
        aspects,
        aspects.items.findIndex(({ label }) => label.endsWith('Metadata')),
      );
      const key = await next();
      assert.deepEqual(
        key.items.map(({ label, description }) => [label, description]),
        [['customer', '2 loaded jobs']],
      );
      acceptRow(key, 0);
      const value = await next();
      assert.deepEqual(value.items.map(({ label }) => label).toSorted(), ['failed customer', 'listed customer']);
      hidePick(value);
      assert.equal(await asked, undefined);
    });
  });
});
