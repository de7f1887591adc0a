import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';

/** The number of runs from `propertyRuns`, or another number below a comment with the reason. */
const runs =
  /numRuns: propertyRuns(?:, examples: .+)? \}|\/\/ (?:Fewer|More): .+\n\s*\{ numRuns: (?:[\d_]+|Math\.min\(propertyRuns, [\d_]+\)) \}/g;

/** The number of properties that neither use `propertyRuns` nor give a reason. */
function unexplained(text: string): number {
  const properties = [...text.matchAll(/\bfc\.assert\(/g)].length;
  return properties - [...text.matchAll(runs)].length;
}

describe('Properties', () => {
  it('are tried as often as propertyRuns says, or say why not', () => {
    // This file only mentions properties.
    const files = globSync('test/{unit,release}/**/*.ts').filter((file) => !file.endsWith('properties.test.ts'));
    assert(files.some((file) => /\bfc\.assert\(/.test(readFileSync(file, 'utf8'))));
    assert.deepEqual(
      files.filter((file) => unexplained(readFileSync(file, 'utf8')) !== 0),
      [],
    );
  });

  it('are found where they say nothing', () => {
    assert.equal(unexplained('fc.assert(fc.property(a, b));'), 1);
    assert.equal(unexplained('fc.assert(fc.property(a, b), { numRuns: 20 });'), 1);
    assert.equal(unexplained('fc.assert(fc.property(a, b), { numRuns: propertyRuns });'), 0);
    assert.equal(unexplained('fc.assert(fc.property(a, b),\n  // Fewer: each is slow.\n  { numRuns: 20 },\n);'), 0);
    assert.equal(unexplained('fc.assert(fc.property(a, b), { numRuns: Math.min(propertyRuns, 20) });'), 1);
  });
});
