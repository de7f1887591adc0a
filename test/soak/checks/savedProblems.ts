import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { resultFolder, titleOfAudio } from '../actions/batchActions.ts';
import { savedFolder } from '../actions/saveAction.ts';
import { serviceJobs } from '../service/serviceTruth.ts';
import type { SoakWindow } from '../soakWindow.ts';

/** The usual formats of results. */
const endings = ['.md', '.srt'];
/** Contents of the folder besides lists. */
const expected = new Set([
  '.vscode',
  'interview.transcription.json',
  'podcast.transcription.json',
  resultFolder,
  savedFolder,
]);

/** Compares the files of results in the window's folder with the jobs of its service that are done, and with saved transcripts. */
export async function savedProblems({
  folder,
  service,
  saved,
}: SoakWindow): Promise<{ readonly files: number; readonly problems: readonly string[] }> {
  const lists = service.batches.map(({ list }) => list);
  const ofBatches = new Set(service.batches.flatMap(({ urls }) => urls));
  const names = readdirSync(join(folder, resultFolder)).toSorted();
  const contentOf = (path: string): string => readFileSync(join(folder, path), 'utf8');
  const jobs = await serviceJobs(service.sample, 'pre-recorded', undefined);
  const wanted = jobs.flatMap(({ file }) => (file?.source && ofBatches.has(file.source) ? [file.source] : []));
  const problems = wanted.flatMap((url) => {
    const title = titleOfAudio(url);
    const found = names.filter((name) => name.startsWith(title));
    const all = endings.map((ending) => title + ending);
    return JSON.stringify(found) === JSON.stringify(all) ? [] : [`${title}: saved as ${found.join(', ')}`];
  });
  problems.push(
    ...readdirSync(folder)
      .filter((name) => !expected.has(name) && !lists.includes(name))
      .map((name) => `${name}: not a folder of results`),
    ...names.filter((name) => !endings.some((ending) => name.endsWith(ending))).map((name) => `${name}: left over`),
    ...names.filter((name) => contentOf(join(resultFolder, name)) === '').map((name) => `${name}: empty`),
    ...saved
      .filter(({ job, name }) => contentOf(join(savedFolder, name)) !== contentOf(join(resultFolder, `${job}.srt`)))
      .map(({ name }) => `${name}: another content than that of the result`),
  );
  return { files: names.length, problems };
}
