import assert from 'node:assert/strict';
import { existsSync, globSync } from 'node:fs';
import { posix } from 'node:path';
import { describe, it } from 'node:test';

/** Folders with tests that are not about one module: the project itself, test support, costs, upgrades. */
const otherFolders = ['project', 'support', 'budget', 'upgrade'];

/**
 * Whether a test's name refers to its subject: `room/module.test.ts`, `room/module.aspect.test.ts`, or
 * `….integration.test.ts`.
 */
function isNamedAfterItsSubject(path: string, exists: (source: string) => boolean): boolean {
  const [folder = ''] = path.split('/');
  if (otherFolders.includes(folder)) return true;
  const [module = '', ...aspects] = posix.basename(path, '.test.ts').split('.');
  if (aspects.at(-1) === 'integration') return exists(posix.join('src', posix.dirname(path)));
  return aspects.length <= 1 && exists(posix.join('src', posix.dirname(path), `${module}.ts`));
}

describe('Unit tests, those of a release and those that leave', () => {
  it('stand where the module stands that they are about', () => {
    const tests = globSync('test/{unit,release}/**/*.test.ts').map((path) => path.replaceAll('\\', '/'));
    assert(tests.length > 50);
    assert.deepEqual(
      tests.filter((path) => !isNamedAfterItsSubject(path.replace(/^test\/\w+\//, ''), existsSync)),
      [],
    );
  });

  it('would be found in a wrong place', () => {
    const sources = new Set(['src/base', 'src/base/time.ts']);
    const named = (path: string): boolean => isNamedAfterItsSubject(path, (source) => sources.has(source));
    assert.deepEqual(
      ['base/time.test.ts', 'base/time.zones.test.ts', 'base/clocks.integration.test.ts', 'project/a.test.ts'].map(
        named,
      ),
      [true, true, true, true],
    );
    assert.deepEqual(
      ['base/clock.test.ts', 'time/time.test.ts', 'base/time.a.b.test.ts', 'room/all.integration.test.ts'].map(named),
      [false, false, false, false],
    );
  });
});
