import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { UserError } from '../editor/userError.ts';
import { build } from './buildExtension.ts';
import { git, tagRelease, writeReleaseTree } from './commitCommand.ts';
import { runMain, UsageError } from './runMain.ts';

// `npm run release:tag`: builds the product and tags a commit that holds the built command. Pushes nothing. With `--check TAG`, checks
// that a tag holds what these sources make.
await runMain(async () => {
  const [option, checked, ...rest] = process.argv.slice(2);
  if (
    (option !== undefined && option !== '--check') ||
    (option !== undefined && checked === undefined) ||
    rest.length > 0
  )
    throw new UsageError('release:tag takes nothing, or --check TAG');
  await build(false);
  if (checked !== undefined) {
    const made = await writeReleaseTree(repositoryRoot);
    const tagged = await git(repositoryRoot, ['rev-parse', `${checked}^{tree}`]);
    if (made !== tagged) throw new UserError(`${checked} has the tree ${tagged}, and these sources make ${made}.`);
    console.log(`${checked} holds what these sources make.`);
    return 0;
  }
  const changed = await git(repositoryRoot, ['status', '--porcelain']);
  if (changed !== '') throw new UserError(`Commit these changes first, or take them back:\n${changed}`);
  const tag = await tagRelease(repositoryRoot);
  console.log(`Tagged ${tag}. Publish it with: git push origin ${tag}`);
  return 0;
});
