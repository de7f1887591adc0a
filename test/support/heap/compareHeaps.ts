// `node test/support/heap/compareHeaps.ts BEFORE AFTER`: shows the growth between two heap snapshots, by retaining path.
import { runMain, UsageError } from '../run/runMain.ts';
import { changedPaths, heapPaths } from './heapPaths.ts';

const maxLines = 40;
/** The ends of a path contain the most information. */
const endCharacters = 350;

await runMain(async () => {
  const [before, after] = process.argv.slice(2);
  if (before === undefined || after === undefined)
    throw new UsageError('Name two heap snapshots: node test/support/heap/compareHeaps.ts BEFORE AFTER');
  for (const { path, count, bytes } of changedPaths(heapPaths(before), heapPaths(after)).slice(0, maxLines)) {
    const shown =
      path.length > 2 * endCharacters ? `${path.slice(0, endCharacters)} … ${path.slice(-endCharacters)}` : path;
    console.log(`${(bytes / 1024).toFixed(0).padStart(8)} KiB ${String(count).padStart(7)} ${shown}`);
  }
  return 0;
});
