import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';

/** A method, property or object member of this name, other than a member of an interface or a call. */
const implementation =
  /(?:^|[{,(])\s*(?:async |override |readonly )*listJobs(?:\([^)]*\)[^;=]*\{\s*$|\s*[:=].*(?:=>|\bfunction\b))/m;

function implementingFiles(texts: Iterable<readonly [string, string]>): readonly string[] {
  return [...texts].filter(([, text]) => implementation.test(text)).map(([path]) => path);
}

it('lists are read by the API and by one test double, and by nothing between them and their readers', () => {
  const paths = globSync(['src/**/*.ts', 'media/**/*.ts', 'test/**/*.ts']).map((path) => path.replaceAll('\\', '/'));
  const texts = paths.sort().map((path) => [path, readFileSync(path, 'utf8')] as const);
  assert.deepEqual(implementingFiles(texts), ['src/jobs/node/api/jobsApi.ts', 'test/support/lists/fakeLists.ts']);
});

it('an implementation is seen in each of its forms', () => {
  const seenIn = (text: string) => implementingFiles([['a.ts', text.replace('name', 'listJobs')]]);
  const forms = [
    '  async name(endpoint: string, signal?: AbortSignal): Promise<ListPage> {\n',
    '  name: async (endpoint, params) => page,\n',
    '  readonly name = (endpoint: string) => page;\n',
    '  name(endpoint) {\n',
    'const source = { name: () => page };\n',
  ];
  for (const form of forms) assert.deepEqual(seenIn(`const a = {\n${form}`), ['a.ts'], form);
  const others = ["  name: 'name',\n", '  name(endpoint: string): Promise<ListPage>;\n', '  await api.name(a);\n'];
  for (const other of others) assert.deepEqual(seenIn(other), [], other);
});
