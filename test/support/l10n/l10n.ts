import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSources } from '../sources/parseSources.ts';
import { projectSources } from '../sources/projectSources.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runMain } from '../run/runMain.ts';
import { exportStrings } from './exportStrings.ts';
import { sameInFrench } from './sameInFrench.ts';
import { schemaStrings } from './schemaStrings.ts';
import { translationProblems, type Texts } from './translationProblems.ts';
import { format, resolveConfig } from 'prettier';

// `npm run l10n`: exports the strings of the sources; sorts the French strings (including those of the manifest and the
// request schema) in the same order; reports and removes unused ones; and lists those that still need translation. The
// exit code is 1 if there are any.
await runMain(async () => {
  process.chdir(repositoryRoot);
  const strings = exportStrings(parseSources(projectSources()).values());
  await write('l10n/bundle.l10n.json', strings);
  const left = [
    ...(await update(strings, 'l10n/bundle.l10n.fr.json')),
    ...(await update(read('package.nls.json') as Texts, 'package.nls.fr.json')),
    ...(await update(schemaStrings(read('media/schemas/request.schema.json')), 'l10n/schema.l10n.fr.json')),
  ];
  for (const line of left) console.log(line);
  return left.length > 0 ? 1 : 0;
});

/** Aligns a French file with the English texts. @returns the remaining work, one line per text. */
async function update(english: Texts, file: string): Promise<readonly string[]> {
  const known = existsSync(file) ? (read(file) as Readonly<Record<string, string>>) : {};
  const kept = Object.keys(english).flatMap((key) => (known[key] === undefined ? [] : [[key, known[key]]]));
  const french = Object.fromEntries(kept) as Readonly<Record<string, string>>;
  const unused = Object.keys(known).filter((key) => !Object.hasOwn(english, key));
  for (const key of unused) console.log(`${file}: dropped: ${JSON.stringify(key)}`);
  await write(file, french);
  return translationProblems(english, french, sameInFrench).map(
    ({ key, problem }) =>
      `${file}: ${problem}: ${JSON.stringify(key)}${problem === 'missing' ? textOf(english, key) : ''}`,
  );
}

/** The English text, unless it is the same as the key. */
function textOf(english: Texts, key: string): string {
  const value = english[key];
  return value === key ? '' : ` ${JSON.stringify(value)}`;
}

function read(file: string): unknown {
  return JSON.parse(readFileSync(file, 'utf8'));
}

/** Writes formatted, because the format check covers all files. */
async function write(file: string, texts: object): Promise<void> {
  const filepath = join(repositoryRoot, file);
  const options = { ...(await resolveConfig(filepath)), filepath };
  writeFileSync(filepath, await format(JSON.stringify(texts, undefined, 2), options));
}
