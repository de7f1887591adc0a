import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { browserStorage } from './browserStorage.ts';
import type { WorkbenchSession } from './openWorkbench.ts';

/**
 * Finds traces of an API key in all files of the editor's data (including logs and state) and of the folder (exports),
 * in the HTML of all frames including webviews, in what the browser stores, in its console and in request URLs. The only
 * place that may contain it, the editor's secret store, is encrypted.
 */
export async function secretTraces(
  { editor, workbench, journal }: WorkbenchSession,
  folder: string,
  secrets: readonly string[],
): Promise<string[]> {
  const holds = (text: string): boolean => secrets.some((secret) => text.includes(secret));
  const frames = await Promise.all(
    workbench.page.frames().map(async (frame) => ({ url: frame.url(), html: await htmlOf(frame) })),
  );
  return [
    ...[editor.dataDir, folder].flatMap((root) =>
      filesBelow(root)
        .filter((file) => holds(readFileSync(file, 'latin1')))
        .map((file) => relative(root, file)),
    ),
    ...frames.filter(({ html }) => holds(html)).map(({ url }) => `frame ${url}`),
    ...(await browserStorage(workbench.page)).filter(({ text }) => holds(text)).map(({ place }) => place),
    ...journal.console.filter(holds).map(() => 'the console'),
    ...journal.requests.filter(({ url }) => holds(url)).map(() => 'the address of a request'),
  ];
}

/** Returns an empty text for a frame that is removed while it is read. */
async function htmlOf(frame: { content(): Promise<string> }): Promise<string> {
  return frame.content().catch(() => '');
}

function filesBelow(folder: string): string[] {
  try {
    return readdirSync(folder, { withFileTypes: true, recursive: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name));
  } catch {
    return [];
  }
}
