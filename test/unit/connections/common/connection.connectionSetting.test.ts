import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  chooseConnection,
  readConnectionDefaults,
  buildConnectionsShape,
  sameConnection,
} from '../../../../src/connections/common/connection.ts';
import { propertyRuns } from '../../../support/propertyRuns.ts';
import { connectionDefaults as defaults } from '../../../support/builders/workConnection.ts';

const { read } = buildConnectionsShape(defaults);

describe('The setting "connections"', () => {
  it('fills in defaults for missing fields and normalizes the rest', () => {
    assert.deepEqual(read([{ name: ' Prod ', baseUrl: 'https://API.example.com/' }]), {
      value: [{ name: 'Prod', baseUrl: 'https://api.example.com', ...defaults }],
      problems: [],
    });
  });

  it('keeps the fields of an entry', () => {
    const entry = {
      name: 'Prod',
      baseUrl: 'https://api.example.com',
      apiKeyHeader: 'x-gladia-key',
      arrayFormat: 'comma',
      metadataFormat: 'brackets',
      limit: 5000,
      listSource: 'combined',
      timeoutSeconds: 120,
    };
    assert.deepEqual(read([entry]), { value: [entry], problems: [] });
  });

  it('drops an invalid entry and reports which and why', () => {
    const { value, problems } = read([
      { name: 'Good', baseUrl: 'https://one.example' },
      { name: 'Plain', baseUrl: 'http://two.example' },
      { name: 'Host', baseUrl: 'https://three.example', apiKeyHeader: 'host' },
      'https://four.example',
      { baseUrl: 'https://five.example' },
      { name: 'Sample', baseUrl: 'https://six.example' },
    ]);
    assert.deepEqual(
      value?.map(({ name }) => name),
      ['Good'],
    );
    assert.equal(problems.length, 5);
    assert.match(problems[0] ?? '', /^Connection 2: baseUrl: Start with https/);
    assert.match(problems[1] ?? '', /^Connection 3: apiKeyHeader: .*another meaning/);
    assert.match(problems[2] ?? '', /^Connection 4: It must be an object/);
    assert.match(problems[3] ?? '', /^Connection 5: name: It must be a string/);
    assert.match(problems[4] ?? '', /^Connection 6: name: Sample is the name of the sample service/);
  });

  it('uses the first of two entries with the same name', () => {
    const { value, problems } = read([
      { name: 'Prod', baseUrl: 'https://one.example' },
      { name: 'prod', baseUrl: 'https://two.example' },
    ]);
    assert.deepEqual(
      value?.map(({ baseUrl }) => baseUrl),
      ['https://one.example'],
    );
    assert.match(problems.join(), /connection named prod already exists/);
  });

  it('uses the default for an unknown query style, and reports it', () => {
    const { value, problems } = read([{ name: 'Prod', baseUrl: 'https://one.example', arrayFormat: 'pipes' }]);
    assert.equal(value?.[0]?.arrayFormat, 'repeat');
    assert.match(problems.join(), /^Connection 1: arrayFormat: It must be one of: repeat, comma, brackets/);
  });

  it('uses the default for an invalid limit, list source or timeout, and reports it', () => {
    const { value, problems } = read([
      { name: 'Prod', baseUrl: 'https://one.example', limit: 0, listSource: 'both', timeoutSeconds: 601 },
      { name: 'Test', baseUrl: 'https://two.example', limit: 2.5, timeoutSeconds: '9' },
    ]);
    for (const { limit, listSource, timeoutSeconds } of value ?? assert.fail())
      assert.deepEqual({ ...defaults, limit, listSource, timeoutSeconds }, defaults);
    assert.deepEqual(problems, [
      'Connection 1: limit: It must be a whole number of at least 1.',
      'Connection 1: listSource: It must be one of: byKind, combined.',
      'Connection 1: timeoutSeconds: It must be a whole number from 1 to 600.',
      'Connection 2: limit: It must be a whole number of at least 1.',
      'Connection 2: timeoutSeconds: It must be a whole number from 1 to 600.',
    ]);
  });

  it('reads anything without an exception, and never the same name twice', () => {
    fc.assert(
      fc.property(
        fc.anything(),
        fc.array(fc.record({ name: fc.constantFrom('a', 'A ', 'b'), baseUrl: fc.constant('https://x.y') })),
        (odd, plain) => {
          read(odd);
          const names = (read([...plain, odd]).value ?? []).map(({ name }) => name.toLowerCase());
          assert.equal(new Set(names).size, names.length);
        },
      ),
      { numRuns: propertyRuns },
    );
  });
});

describe('Defaults of a connection', () => {
  it('are read from a manifest', () => {
    const properties = {
      apiKeyHeader: { default: 'x-key' },
      arrayFormat: { default: 'comma' },
      metadataFormat: { default: 'brackets' },
      limit: { default: 50 },
      listSource: { default: 'combined' },
      timeoutSeconds: { default: 5 },
    };
    const connections = { items: { properties } };
    const manifest = {
      contributes: { configuration: [{ properties: { 'transcriptionJobs.connections': connections } }] },
    };
    assert.deepEqual(readConnectionDefaults(manifest), {
      apiKeyHeader: 'x-key',
      arrayFormat: 'comma',
      metadataFormat: 'brackets',
      limit: 50,
      listSource: 'combined',
      timeoutSeconds: 5,
    });
  });

  it('must be declared', () => {
    assert.throws(() => readConnectionDefaults({}), /declares no default for apiKeyHeader/);
  });
});

describe('The chosen connection', () => {
  const connections = [{ name: 'Prod' }, { name: 'Test' }];

  it('is found by its exact name', () => {
    assert.deepEqual(chooseConnection('Test', connections), { type: 'found', connection: { name: 'Test' } });
    assert.deepEqual(chooseConnection('test', connections), { type: 'unknown', name: 'test' });
  });
  it('may be none, or the sample', () => {
    assert.deepEqual(chooseConnection('', connections), { type: 'none' });
    assert.deepEqual(chooseConnection('Sample', []), { type: 'sample' });
  });
});

describe('Two connections', () => {
  const one = { name: 'Prod', baseUrl: 'https://api.example.com', ...defaults };
  it('are the same if all fields are equal', () => {
    assert(sameConnection(one, { ...one }));
    for (const change of [
      { name: 'Test' },
      { baseUrl: 'https://other.example' },
      { apiKeyHeader: 'x-key' },
      { arrayFormat: 'comma' as const },
      { metadataFormat: 'brackets' as const },
      { limit: 50 },
      { listSource: 'combined' as const },
      { timeoutSeconds: 5 },
    ]) {
      assert(!sameConnection(one, { ...one, ...change }), JSON.stringify(change));
    }
  });
});
