import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';
import { UserError } from '../editor/userError.ts';

/** Builds the product and, if requested, the tests. Host and workbench tests run against the production build. */
export async function build(tests: boolean, root = repositoryRoot, isProduction = true): Promise<void> {
  const flags = [...(isProduction ? ['--production'] : []), ...(tests ? ['--tests'] : [])];
  const result = await runTool(process.execPath, ['esbuild.mjs', ...flags], { cwd: root });
  if (result.code === 0) return;
  process.stderr.write(`${result.stdout}${result.stderr}`);
  throw new UserError('Could not build the extension; the reason is above.');
}
