import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  buildConnectionsShape,
  withConnection,
  withoutConnection,
} from '../../../../src/connections/common/connection.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { connectionDefaults as defaults } from '../../../support/builders/workConnection.ts';

const entry = { name: 'Field', baseUrl: 'https://field.example', ...defaults };

describe('Editing the setting "connections"', () => {
  it('adds an entry at the end without defaults', () => {
    assert.deepEqual(withConnection(['odd'], { ...entry, arrayFormat: 'comma', limit: 50 }, undefined, defaults), [
      'odd',
      { name: 'Field', baseUrl: 'https://field.example', arrayFormat: 'comma', limit: 50 },
    ]);
  });

  it('removes a field that is set back to its default', () => {
    const written = [{ name: 'Field', baseUrl: 'https://old.example', arrayFormat: 'comma', note: 1 }];
    assert.deepEqual(withConnection(written, entry, 'Field', defaults), [
      { name: 'Field', baseUrl: 'https://field.example', note: 1 },
    ]);
  });

  it('finds an entry whose name has surrounding spaces', () => {
    assert.deepEqual(withoutConnection([{ name: ' Field ' }, { name: 'field' }, 'Field', null], 'Field'), [
      { name: 'field' },
      'Field',
      null,
    ]);
  });

  it('reads back what was saved and leaves every other entry unchanged', () => {
    const names = fc.constantFrom('Field', 'Other', 'Third');
    const others = fc.array(
      fc.oneof(fc.record({ name: names, baseUrl: fc.constant('https://o.example') }), fc.jsonValue()),
    );
    fc.assert(
      fc.property(others, (written) => {
        const changed = withConnection(written, entry, 'Field', defaults);
        const saved = buildConnectionsShape(defaults)
          .read(changed)
          .value?.find(({ name }) => name === 'Field');
        assert.deepEqual(saved, entry);
        assert.deepEqual(withoutConnection(changed, 'Field'), withoutConnection(written, 'Field'));
      }),
      { numRuns: propertyRuns },
    );
  });
});
