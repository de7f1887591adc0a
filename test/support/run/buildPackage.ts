import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';

const bin = join(repositoryRoot, 'node_modules');
const vsixPath = join(repositoryRoot, 'out/transcription-jobs.vsix');

/** Builds what ships and, if asked, the tests. The tests of the host and of the workbench run against the production build. */
export async function build(tests: boolean): Promise<void> {
  await tool('build', 'esbuild.mjs', ['--production', ...(tests ? ['--tests'] : [])]);
}

/** Packages what {@link build} made into the VSIX and returns its path. */
export async function packageVsix(): Promise<string> {
  rmSync(vsixPath, { force: true });
  // The pictures of the README are not in the package, and there is no public place yet that its links could point to.
  const flags = ['--no-dependencies', '--no-rewrite-relative-links', '--allow-missing-repository'];
  await tool('package', join(bin, '@vscode/vsce/vsce'), ['package', ...flags, '--out', vsixPath]);
  return vsixPath;
}

async function tool(purpose: string, script: string, args: readonly string[]): Promise<void> {
  const result = await runTool(process.execPath, [script, ...args], { cwd: repositoryRoot });
  if (result.code === 0) return;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new UserError(`Could not ${purpose} the extension; the reason is above.`);
}
