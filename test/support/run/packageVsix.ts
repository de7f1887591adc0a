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

/** Packages what is built in a folder into the VSIX, whose folder is made where it is missing, and returns its path. */
export async function packageVsix(
  root = repositoryRoot,
  vsix = join(repositoryRoot, 'out/transcription-jobs.vsix'),
): Promise<string> {
  rmSync(vsix, { force: true });
  mkdirSync(dirname(vsix), { recursive: true });
  const result = await runTool(process.execPath, [vsce, 'package', ...flags, '--out', vsix], { cwd: root });
  if (result.code === 0) return vsix;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new UserError('Could not package the extension; the reason is above.');
}
