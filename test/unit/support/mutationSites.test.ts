import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMutationSites } from '../../support/mutants/mutationSites.ts';

/** The text with each change that is possible. */
function mutantsOf(source: string): readonly string[] {
  return findMutationSites(source).map(
    ({ offset, length, text }) => source.slice(0, offset) + text + source.slice(offset + length),
  );
}

test('operators, literals, conditions and calls are changed one at a time', () => {
  assert.deepEqual(mutantsOf('const a = b < 1 && !c;'), [
    'const a = b <= 1 && !c;',
    'const a = b < 2 && !c;',
    'const a = b < 1 || !c;',
  ]);
  assert.deepEqual(mutantsOf('if (isOpen(a)) return true;'), [
    'if (!(isOpen(a))) return true;',
    'if (isOpen(a)) return false;',
  ]);
  assert.deepEqual(mutantsOf('{\n  a();\n  await this.#b(c, {});\n  return d();\n}'), [
    '{\n  ;\n  await this.#b(c, {});\n  return d();\n}',
    '{\n  a();\n  ;\n  return d();\n}',
  ]);
});

test('comments, texts, patterns, imports and types are left as they are, what stands within a template is not', () => {
  for (const source of [
    "import { a } from './true && false.ts';",
    'interface A {\n  readonly a: true;\n  b(c: 1): void;\n}',
    "type A =\n  | { readonly a: true }\n  | 'b';",
    "const a = 'b && c' // true\n  /* 1 < 2 */;",
    'const a = /1 < [/] && 2/u;',
    'const a = `1 < 2 ${b} && true`;',
  ])
    assert.deepEqual(mutantsOf(source), [], source);
  assert.deepEqual(mutantsOf('const a = `1 ${`2 ${b({}) < c}`} true`;'), ['const a = `1 ${`2 ${b({}) <= c}`} true`;']);
});
