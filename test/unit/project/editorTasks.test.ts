import assert from 'node:assert/strict';
import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { editorTasks, matcherOf } from '../../support/editor/editorTasks.ts';

interface Configuration {
  readonly name: string;
  readonly args?: readonly string[];
  readonly outFiles: readonly string[];
  readonly preLaunchTask?: string;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const { scripts } = read('package.json') as { readonly scripts: Readonly<Record<string, string>> };
const { configurations } = read('.vscode/launch.json') as { readonly configurations: readonly Configuration[] };

describe('The tasks of the editor', () => {
  it('run scripts that there are', () => {
    const called = editorTasks.map(
      ({ script, command }) => script ?? /^npm run ([\w:]+)/.exec(command ?? '')?.[1] ?? '',
    );
    assert(called.length > 0);
    assert.deepEqual(
      called.filter((script) => !Object.hasOwn(scripts, script)),
      [],
    );
  });

  // The tests of a release start it.
  it('wait for words that the one that does not end says', () => {
    assert.deepEqual(
      editorTasks.filter(({ isBackground }) => isBackground === true).map(({ label }) => label),
      ['watch'],
    );
    const { pattern, background } = matcherOf('watch');
    assert.deepEqual(pattern, matcherOf('build').pattern);
    const code = readFileSync('esbuild.mjs', 'utf8');
    const said = [...code.matchAll(/console\.log\('(build \w+)'\)/g)].map(([, words]) => words ?? '');
    for (const awaited of [background?.beginsPattern, background?.endsPattern])
      assert(
        said.some((words) => new RegExp(awaited ?? '^(?!)', 'm').test(words)),
        awaited,
      );
  });
});

describe('The launch configurations', () => {
  it('start tasks that there are and that end or say when they are through', () => {
    const needed = configurations.flatMap(({ preLaunchTask }) => preLaunchTask ?? []);
    assert(needed.length > 0);
    assert.deepEqual(
      needed.filter((label) => !editorTasks.some((task) => task.label === label)),
      [],
    );
    assert.deepEqual(
      editorTasks
        .filter(({ label, isBackground }) => needed.includes(label) && isBackground === true)
        .filter(({ label }) => matcherOf(label).background === undefined)
        .map(({ label }) => label),
      [],
    );
  });

  it('keep tests, which change settings, away from the profile of whoever runs them', () => {
    const ofTests = configurations.filter(({ args = [] }) =>
      args.some((arg) => arg.startsWith('--extensionTestsPath=')),
    );
    assert(ofTests.length > 0);
    for (const { name, args = [] } of ofTests) {
      assert(args.includes('--profile-temp') && args.includes('--disable-extensions'), name);
    }
  });

  it('name what there is or what the build makes', () => {
    assert(existsSync('out/test') && existsSync('dist'), 'npm run build -- --tests makes dist and out/test');
    const inside = (text: string): readonly string[] =>
      [...text.matchAll(/\$\{workspaceFolder\}\/?(.*)$/g)].map(([, path = '']) => join('.', path));
    const named = configurations.flatMap(({ args = [], outFiles }) => [...args, ...outFiles].flatMap(inside));
    assert(named.length > 0);
    assert.deepEqual(
      named.filter((path) => !existsSync(path) && globSync(path).length === 0),
      [],
    );
  });
});
