import { join } from 'node:path';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';
import { readSharedManifest, stageCommand } from './stageCommand.ts';

/** Files that GitHub and pre-commit look for, and the workflow that a pushed tag starts. */
const hostFiles = ['action.yml', '.pre-commit-hooks.yaml', '.github/workflows/release.yml'];

/** Runs Git in a repository. @returns its output without the last line break @throws UserError if it fails */
export async function git(repository: string, args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<string> {
  const { code, stdout, stderr } = await runTool('git', args, { cwd: repository, env: { ...process.env, ...env } });
  if (code === 0) return stdout.replace(/\n$/, '');
  throw new UserError(`git ${args[0] ?? ''} failed: ${stderr.trim()}`);
}

/**
 * Writes the tree of a release: the built command with what pre-commit and GitHub need to run it as it is. It holds no sources, and its
 * manifest neither scripts nor dependencies. The same build makes the same tree.
 * @returns the hash of the tree in the repository
 */
export async function writeReleaseTree(repository: string, root = repositoryRoot): Promise<string> {
  const stage = stageCommand(root, hostFiles);
  const index = temporaryFolder();
  try {
    const env = {
      GIT_DIR: await git(repository, ['rev-parse', '--absolute-git-dir']),
      GIT_WORK_TREE: stage.path,
      GIT_INDEX_FILE: join(index.path, 'index'),
    };
    await git(stage.path, ['-c', 'core.autocrlf=false', '-c', 'core.fileMode=true', 'add', '--all', '--force'], env);
    return await git(stage.path, ['write-tree'], env);
  } finally {
    stage.remove();
    index.remove();
  }
}

/**
 * Tags a release: a commit with {@link writeReleaseTree}, on no branch, whose parent is the commit of the sources.
 * @returns the name of the tag @throws UserError if the tag exists
 */
export async function tagRelease(repository: string, root = repositoryRoot): Promise<string> {
  const { version } = readSharedManifest(root);
  const tag = `v${version}`;
  const message = ['-m', `Release ${version}`];
  const tree = await writeReleaseTree(repository, root);
  const commit = await git(repository, ['commit-tree', tree, '-p', 'HEAD', ...message]);
  await git(repository, ['tag', '--annotate', ...message, tag, commit]);
  return tag;
}
