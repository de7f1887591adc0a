import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { repositoryRoot } from '../../../support/editor/repositoryRoot.ts';
import { ruleCatalog } from '../../../../src/language/check.ts';

const codes = ruleCatalog.map(({ code }) => code);

test('codes are unique and have the form category/name', () => {
  assert.equal(new Set(codes).size, codes.length);
  for (const code of codes) assert.match(code, /^[a-z-]+\/[a-z-]+$/u);
});

test('every rule has an explanation of one sentence', () => {
  for (const { explain } of ruleCatalog) assert.match(explain(), /^\S.*\.$/u);
});

test('the setting lists exactly the rules', () => {
  const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
    readonly contributes: {
      readonly configuration: readonly {
        readonly properties: {
          readonly 'transcriptionJobs.rules'?: { readonly propertyNames: { readonly enum: unknown } };
        };
      }[];
    };
  };
  const listed = manifest.contributes.configuration.flatMap(
    ({ properties }) => properties['transcriptionJobs.rules']?.propertyNames.enum ?? [],
  );
  assert.deepEqual(listed, codes);
});

test('every rule has test cases with and without findings', () => {
  const files = globSync(join(repositoryRoot, 'test/unit/language/rules/*.test.ts'));
  const tests = files.map((file) => readFileSync(file, 'utf8')).join('\n');
  for (const code of codes) {
    assert.match(tests, new RegExp(String.raw`\bfires\(\s*'${code}'`, 'u'));
    assert.match(tests, new RegExp(String.raw`\bisSilent\(\s*'${code}'`, 'u'));
  }
});
