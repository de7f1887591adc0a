import assert from 'node:assert/strict';
import { cpSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { editorTasks, matcherOf, type EsbuildMatcher } from '../../support/editor/editorTasks.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { ProcessGroup } from '../../support/editor/processGroup.ts';

/** Interval for checking the output. */
const lookMs = 50;
/** Time for a build on a busy machine; only used up if the task never reports its end. */
const buildMs = 300_000;

/** The locations that the matcher finds in the output, as `file:line`. */
function problems(output: string, { pattern }: EsbuildMatcher): readonly string[] {
  const lines = output.split(/\r?\n/);
  return lines.flatMap((_, start) => {
    const found = pattern.map(({ regexp }, index) => new RegExp(regexp).exec(lines[start + index] ?? ''));
    const [file, line] = found.at(-1)?.slice(1) ?? [];
    return found.every((each) => each !== null) ? [`${file}:${line}`] : [];
  });
}

describe('The tasks of the editor', () => {
  it(
    'say when the one that does not end is through with a round, and where it failed',
    { timeout: buildMs },
    async () => {
      assert.deepEqual(
        editorTasks.filter(({ isBackground }) => isBackground === true).map(({ label }) => label),
        ['watch'],
      );
      const matcher = matcherOf('watch');
      assert.deepEqual(matcher.pattern, matcherOf('build').pattern);
      const begins = new RegExp(matcher.background?.beginsPattern ?? '^(?!)', 'm');
      const ends = new RegExp(matcher.background?.endsPattern ?? '^(?!)', 'm');

      const { path: cwd, remove } = temporaryFolder();
      for (const part of ['esbuild.mjs', 'package.json', 'tsconfig.json', 'src', 'media', 'l10n']) {
        cpSync(part, join(cwd, part), { recursive: true });
      }
      symlinkSync(join(process.cwd(), 'node_modules'), join(cwd, 'node_modules'), 'junction');
      const broken = join(cwd, 'src/base/failure.ts');
      writeFileSync(broken, `const = 1;\n${readFileSync(broken, 'utf8')}`);

      const watch = new ProcessGroup(process.execPath, ['esbuild.mjs', '--watch'], {
        cwd,
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      for (const stream of [watch.child.stdout, watch.child.stderr]) {
        stream?.setEncoding('utf8').on('data', (text: string) => (output += text));
      }
      let ended = false;
      void watch.exited.then(() => (ended = true));
      try {
        while (!ends.test(output)) {
          assert(!ended, `it ended: ${output}`);
          await delay(lookMs);
        }
        assert.match(output, begins);
        // Once for each bundle that the file is in.
        assert.deepEqual([...new Set(problems(output, matcher))], ['src/base/failure.ts:1']);
      } finally {
        await watch.stop();
        remove();
      }
    },
  );
});
