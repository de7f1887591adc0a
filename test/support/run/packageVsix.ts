import { mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';

const vsce = join(repositoryRoot, 'node_modules/@vscode/vsce/vsce');
/** There is no public place yet that the README's links could point to; the README itself is the one that the build made. */
const flags = [
  '--no-dependencies',
  '--no-rewrite-relative-links',
  '--allow-missing-repository',
  '--readme-path=dist/README.md',
];

/** Any moment will do, as long as it is the same for the same sources. */
const noCommitSeconds = 315_532_800;

/**
 * The environment in which the same files give the same package: entries carry the time of the commit, which `SOURCE_DATE_EPOCH`
 * overrides, in no zone but UTC.
 */
async function reproducible(cwd: string): Promise<NodeJS.ProcessEnv> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  const { code, stdout } = await runTool('git', ['log', '-1', '--format=%ct'], { cwd }).catch(() => ({
    code: 1,
    stdout: '',
  }));
  const committed = code === 0 && /^\d+$/.test(stdout.trim()) ? stdout.trim() : String(noCommitSeconds);
  return { ...process.env, TZ: 'UTC', SOURCE_DATE_EPOCH: given ?? committed };
}

/** Packages what is built in a folder into the VSIX, whose folder is made where it is missing, and returns its path. */
export async function packageVsix(
  root = repositoryRoot,
  vsix = join(repositoryRoot, 'out/transcription-jobs.vsix'),
): Promise<string> {
  rmSync(vsix, { force: true });
  mkdirSync(dirname(vsix), { recursive: true });
  const result = await runTool(process.execPath, [vsce, 'package', ...flags, '--out', vsix], {
    cwd: root,
    env: await reproducible(root),
  });
  if (result.code === 0) return vsix;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new UserError('Could not package the extension; the reason is above.');
}
