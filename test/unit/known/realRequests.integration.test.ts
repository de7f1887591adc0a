import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkRequest } from '../../../src/language/check.ts';
import { findServiceKnowledge } from '../../../src/known/serviceKnowledge.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { schemaErrors } from '../language/schemaCheck.ts';

const folder = join(repositoryRoot, 'test/fixtures/requests');

interface RealRequest {
  readonly file: string;
  /** Source of the body. */
  readonly source: string;
  /** Expected warnings as `code at path`; defaults to none. */
  readonly warnings?: readonly string[];
}

const real = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')) as readonly RealRequest[];
const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** Returns the errors and warnings for a request, as `code at path`. */
function shown(text: string, service: 'auto' | 'gladia'): readonly string[] {
  return checkRequest(parseRequest(text), schemaErrors, { nowMs, knowledge: findServiceKnowledge(service) })
    .filter(({ severity }) => severity === 'error' || severity === 'warning')
    .map(({ code, place }) => `${code} at ${'path' in place ? place.path.join('.') : 'range'}`);
}

test('there are at least forty real requests, each with its source', () => {
  const files = readdirSync(folder).filter((name) => name !== 'index.json');
  assert.deepEqual(files.sort(), real.map(({ file }) => file).sort());
  assert.ok(real.length >= 40, `${real.length} requests`);
  // A source has repository, commit and path.
  for (const { file, source } of real) assert.match(source, /^[\w.-]+\/[\w.-]+@[\da-f]{7} \S+\.\w+/u, file);
});

for (const { file, warnings = [] } of real) {
  test(`reports exactly the expected warnings about ${file}`, () => {
    const text = readFileSync(join(folder, file), 'utf8');
    assert.deepEqual([...shown(text, 'gladia')].sort(), [...warnings].sort());
    const blunt = shown(text, 'auto').filter((each) => each.startsWith('service/'));
    assert.deepEqual(blunt, [], 'only information where the service is not known');
  });
}
