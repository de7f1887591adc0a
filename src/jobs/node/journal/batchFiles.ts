import { basename, join } from 'node:path';
import { namesIn } from './journalSegments.ts';

const extension = '.ndjson';

/** Returns the folder of the batches of a connection. @param folder of the connection's journal */
export function batchFolder(folder: string): string {
  return join(folder, 'batches');
}

/** Returns the ids of all batches in the folders, newest first. */
export async function batchIds(...folders: readonly string[]): Promise<readonly string[]> {
  const names = (await Promise.all(folders.map(namesIn))).flat().filter((name) => name.endsWith(extension));
  return names
    .sort()
    .reverse()
    .map((name) => name.slice(0, -extension.length));
}

export function batchPath(folder: string, id: string): string {
  return join(folder, basename(`${id}${extension}`));
}
