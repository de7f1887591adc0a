// Runs one row of the table in its own process, so that no other row has compiled its code or filled its heap:
// `node --expose-gc runRow.ts FILE SETTINGS` prints the outcomes as JSON.
import { pathToFileURL } from 'node:url';
import type { BenchSettings, Row } from './outcome.ts';
import { runMain } from '../support/run/runMain.ts';

const maxMinutes = 10;
setTimeout(() => {
  throw new Error(`the row has not ended after ${maxMinutes} minutes`);
}, maxMinutes * 60_000).unref();

await runMain(async () => {
  const [file = '', settings = '{}'] = process.argv.slice(2);
  const module = (await import(pathToFileURL(file).href)) as { readonly row: Row };
  const outcomes = await module.row(JSON.parse(settings) as BenchSettings);
  process.stdout.write(`${JSON.stringify(outcomes)}\n`);
  return 0;
});
// A row that throws leaves its service listening, which would keep this process alive for ever.
await new Promise((resolve) => process.stdout.write('', resolve));
process.exit();
