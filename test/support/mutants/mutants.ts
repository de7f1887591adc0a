import { appendFileSync, existsSync, globSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { transform } from 'esbuild';
import { seededNumbers } from '../../unit/features/board/common/boardJobs.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { ProcessGroup } from '../editor/processGroup.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { isEnding } from '../editor/shutdown.ts';
import { UserError } from '../editor/userError.ts';
import { runMain, UsageError } from '../run/runMain.ts';
import type { TestKind } from '../run/testArguments.ts';
import { findMutationSites, type MutationSite } from './mutationSites.ts';

// `node test/support/mutants/mutants.ts --seed N --count N [--kind K] [--whole]`: changes one operator, literal, condition or call of the
// product at a time, at random, in a copy of the last commit, and checks if a test fails: first the tests of the same folder, then all of
// the kinds that cover the folder, and with `--whole` the whole suite. A mutant that does not build or has another type error is redrawn.
// `out/mutants-N.ndjson` stores the results: the same command continues after an interruption and retries mutants that survived; `--kind`
// leaves mutants that tests of another kind cover for later. A flaky test counts as noticing, so its title is shown.

/** The folders to change, each with the project that checks its types and the kinds of tests that cover it. */
const covered: Readonly<Record<string, readonly [project: string, kinds: readonly TestKind[]]>> = {
  'src/connections/common': ['.', ['unit']],
  'src/jobs/common': ['.', ['unit']],
  'src/features/tree/common': ['.', ['unit']],
  'src/language': ['.', ['unit']],
  'src/jobs/common/result': ['.', ['unit']],
  'src/features/submit/common': ['.', ['unit']],
  'src/platform/http': ['.', ['unit']],
  'src/jobs/node/list': ['.', ['unit']],
  'src/jobs/node/journal': ['.', ['unit']],
  'src/features/browse/editor': ['.', ['host']],
  'src/features/submit/editor': ['.', ['host']],
  'media/page': ['media/page', ['page']],
};

/** Max duration of one run of tests. */
const maxTestMs = 20 * 60_000;

/** Kinds of tests that passed without a mutant. */
const green = new Set<TestKind>();

interface Mutant extends MutationSite {
  readonly file: string;
  readonly folder: string;
}

interface Result {
  /** File, offset and text of the mutant. */
  readonly mutant: string;
  /** `rejected`: it does not build or has another type error. */
  readonly verdict: 'rejected' | 'noticed' | 'survived';
  /** Location, the line before and after, and the test that noticed it. */
  readonly text: string;
}

await runMain(async () => {
  const { seed, count, kind, whole } = readArguments(process.argv.slice(2));
  const resultsFile = join(repositoryRoot, `out/mutants-${seed}.ndjson`);
  mkdirSync(dirname(resultsFile), { recursive: true });
  // Tests may have been added for survivors.
  const settled = readResults(resultsFile).filter(({ verdict }) => verdict !== 'survived');
  const known = new Map(settled.map((result) => [result.mutant, result]));
  const root = await copyRepository();
  const sites = new Map(Object.keys(covered).map((folder) => [folder, mutantsOf(root, folder)]));
  const drawn = new Set<string>();
  const numbers = { noticed: 0, survived: 0, untried: 0 };
  for (let candidate = 0; numbers.noticed + numbers.survived + numbers.untried < count; candidate++) {
    const mutant = draw(sites, seed, candidate);
    const name = `${mutant.file} ${mutant.offset} ${mutant.text}`;
    if (drawn.has(name)) continue;
    drawn.add(name);
    const result = known.get(name) ?? (await tryMutant(root, name, mutant, { kind, whole }));
    if (result !== undefined && !known.has(name)) appendFileSync(resultsFile, `${JSON.stringify(result)}\n`);
    if (result?.verdict === 'rejected') continue;
    numbers[result?.verdict ?? 'untried']++;
    if (result !== undefined) console.log(result.text);
  }
  console.log(
    `\n${count} mutants: ${numbers.noticed} noticed, ${numbers.survived} survived, ${numbers.untried} not tried yet`,
  );
  return 0;
});

function readResults(file: string): readonly Result[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as Result);
}

interface Wish {
  /** Try only mutants that tests of this kind cover. */
  readonly kind: string | undefined;
  /** Run the whole suite on survivors. */
  readonly whole: boolean;
}

function readArguments(args: readonly string[]): Wish & { readonly seed: number; readonly count: number } {
  const options = {
    seed: { type: 'string' },
    count: { type: 'string' },
    kind: { type: 'string' },
    whole: { type: 'boolean' },
  } as const;
  const usage = new UsageError('Use: node test/support/mutants/mutants.ts --seed N --count N [--kind K] [--whole]');
  try {
    const { seed, count, kind, whole = false } = parseArgs({ args: [...args], options }).values;
    if (!/^\d+$/.test(seed ?? '') || !/^\d+$/.test(count ?? '')) throw usage;
    return { seed: Number(seed), count: Number(count), kind, whole };
  } catch {
    throw usage;
  }
}

/** Clones the last commit into a temporary folder that shares installed packages and downloads. */
async function copyRepository(): Promise<string> {
  const root = join(temporaryFolder().path, 'repository');
  const { code, stderr } = await runTool('git', ['clone', '--quiet', '--local', repositoryRoot, root]);
  if (code !== 0) throw new UserError(`Could not clone the repository: ${stderr}`);
  for (const shared of ['node_modules', '.vscode-test'])
    symlinkSync(join(repositoryRoot, shared), join(root, shared), 'junction');
  return root;
}

function mutantsOf(root: string, folder: string): readonly Mutant[] {
  return globSync(`${folder}/**/*.ts`, { cwd: root })
    .map((file) => file.replaceAll('\\', '/'))
    .filter((file) => !file.endsWith('.d.ts'))
    .toSorted()
    .flatMap((file) =>
      findMutationSites(readFileSync(join(root, file), 'utf8')).map((site) => ({ ...site, file, folder })),
    );
}

function draw(sites: ReadonlyMap<string, readonly Mutant[]>, seed: number, candidate: number): Mutant {
  const next = seededNumbers(seed * 1_000_003 + candidate);
  const pick = <T>(values: readonly T[]): T => values[Math.floor(next() * values.length)] as T;
  return pick(pick([...sites.values()]));
}

/** Applies the mutant to the copy, runs tests, and reverts it. @returns undefined if it is skipped for now */
async function tryMutant(
  root: string,
  mutant: string,
  { file, folder, offset, length, text }: Mutant,
  { kind: wanted, whole }: Wish,
): Promise<Result | undefined> {
  const path = join(root, file);
  const source = readFileSync(path, 'utf8');
  const changed = source.slice(0, offset) + text + source.slice(offset + length);
  const at = source.slice(0, offset).split('\n').length;
  const lineOf = (of: string): string => of.split('\n')[at - 1]?.trim() ?? '';
  const place = `${file}:${at}  ${lineOf(source)}  →  ${lineOf(changed)}`;
  const [project, kinds] = covered[folder] ?? ['.', []];
  if (wanted !== undefined && !kinds.some((kind) => kind === wanted)) return undefined;
  for (const kind of kinds) await requireGreen(root, kind);
  writeFileSync(path, changed);
  try {
    if (!(await changesCode(source, changed)) || !(await hasRightTypes(root, project)))
      return { mutant, verdict: 'rejected', text: place };
    const runs = kinds.flatMap((kind) => [...filtersFor(root, kind, folder).map((filter) => [kind, filter]), [kind]]);
    for (const args of whole ? [...runs, []] : runs) {
      const title = await runTests(root, args);
      if (title === undefined) continue;
      return { mutant, verdict: 'noticed', text: `${place}  noticed by ${args.join(' ') || 'all'}: ${title}` };
    }
    return { mutant, verdict: 'survived', text: `${place}  survived` };
  } finally {
    writeFileSync(path, source);
  }
}

/** False if only types and comments differ, or if the text is not a valid program. */
async function changesCode(source: string, changed: string): Promise<boolean> {
  const codeOf = async (text: string): Promise<string> =>
    (await transform(text, { loader: 'ts', minifyWhitespace: true, logLevel: 'silent' })).code;
  const code = await codeOf(changed).catch(() => undefined);
  return code !== undefined && code !== (await codeOf(source));
}

/** A removed call may leave an import unused. */
async function hasRightTypes(root: string, project: string): Promise<boolean> {
  const flags = ['-p', project, '--noUnusedLocals', 'false', '--noUnusedParameters', 'false'];
  const { code } = await runTool(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...flags], {
    cwd: root,
  });
  return code === 0;
}

/** Returns the folder of the tests that mirrors a folder of the product, if there is one. */
function filtersFor(root: string, kind: TestKind, folder: string): readonly string[] {
  const mirrored = folder.replace(/^(?:src|media)\//, '');
  return existsSync(join(root, 'test', kind, mirrored)) ? [`${mirrored}/`] : [];
}

/** Runs the tests of a kind once without a mutant: a test that always fails would notice every mutant. */
async function requireGreen(root: string, kind: TestKind): Promise<void> {
  if (green.has(kind)) return;
  const title = await runTests(root, [kind]);
  if (title !== undefined) throw new UserError(`A ${kind} test fails without a mutant: ${title}`);
  green.add(kind);
}

/** Runs tests up to the first failure. @returns its title; undefined if all pass */
async function runTests(root: string, args: readonly string[]): Promise<string | undefined> {
  const group = new ProcessGroup(process.execPath, ['test/support/run/testAll.ts', ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let output = '';
  const failed = new Promise<string>((resolve) => {
    for (const stream of [group.child.stdout, group.child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        output += text;
        const title = /^ *✖ (.+?)(?: \([\d.]+ ?ms\))?$/m.exec(output)?.[1];
        if (title !== undefined) resolve(title);
      });
  });
  const late = new Promise<string>((resolve) => {
    setTimeout(() => resolve('the time limit of a run'), maxTestMs).unref();
  });
  const ended = new Promise<undefined>((resolve) => group.child.once('close', () => resolve(undefined)));
  try {
    const title = await Promise.race([failed, late, ended]);
    if (isEnding()) throw new UserError('Stopped; the same command goes on.');
    if (title !== undefined) return title;
    const { code } = await group.exited;
    if (code !== 0) throw new UserError(`The tests did not run:\n${output.slice(-2000)}`);
    return undefined;
  } finally {
    await group.stop();
  }
}
