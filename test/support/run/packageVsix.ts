import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';
import { readSharedManifest } from './stageCommand.ts';
import { packagedFiles, stageFiles } from './stageFiles.ts';

const vsce = join(repositoryRoot, 'node_modules/@vscode/vsce/vsce');
/** The build generates the README, with links that need no rewriting. */
const flags = ['--no-dependencies', '--no-rewrite-relative-links', '--readme-path=dist/README.md'];

/** An arbitrary time that only has to be the same for the same sources. */
const noCommitSeconds = 315_532_800;

/**
 * Returns the time of all entries of a package, in seconds: `SOURCE_DATE_EPOCH` if set, otherwise the time of the commit.
 * @throws UserError if `SOURCE_DATE_EPOCH` is no time that a zip entry can have
 */
async function packageSeconds(cwd: string): Promise<number> {
  const given = process.env['SOURCE_DATE_EPOCH'];
  if (given !== undefined && given !== '') {
    if (/^\d{9,10}$/.test(given) && Number(given) >= noCommitSeconds) return Number(given);
    throw new UserError(`SOURCE_DATE_EPOCH is "${given}"; it takes seconds since 1970, from ${noCommitSeconds} on.`);
  }
  const committed = await runTool('git', ['log', '-1', '--format=%ct'], { cwd }).catch(() => undefined);
  return committed?.code === 0 && /^\d+\n$/.test(committed.stdout) ? Number(committed.stdout) : noCommitSeconds;
}

/**
 * Packages the build in a folder as a VSIX, creating the target folder if necessary. The same files make the same bytes: for any location
 * of the folder, any times and modes of its files, in any time zone and language.
 * @returns the path of the VSIX
 */
export async function packageVsix(
  root = repositoryRoot,
  vsix = join(repositoryRoot, 'out/transcription-jobs.vsix'),
): Promise<string> {
  const seconds = await packageSeconds(root);
  rmSync(vsix, { force: true });
  mkdirSync(dirname(vsix), { recursive: true });
  const missing = readSharedManifest(root).repository === undefined ? ['--allow-missing-repository'] : [];
  const files = [...packagedFiles(root), '.vscodeignore'];
  const stage = stageFiles(Object.fromEntries(files.map((file) => [file, join(root, file)])));
  try {
    const made = join(stage.path, 'made.vsix');
    const result = await runTool(process.execPath, [vsce, 'package', ...flags, ...missing, '--out', made], {
      cwd: stage.path,
      // Entries get local times, and are sorted by the rules of the language.
      env: { ...process.env, TZ: 'UTC', LC_ALL: 'C', SOURCE_DATE_EPOCH: String(seconds) },
    });
    if (result.code === 0) {
      copyFileSync(made, vsix);
      return vsix;
    }
    process.stderr.write(`${result.stdout}${result.stderr}`);
    throw new UserError('Could not package the extension; the reason is above.');
  } finally {
    stage.remove();
  }
}
