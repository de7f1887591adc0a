import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { WorkbenchSession } from './openWorkbench.ts';

/**
 * Where an API key has been left behind: in any file of the editor's data (its logs and states among them) or of the folder (exports),
 * in the HTML of any frame, webviews included, in the browser's console or in the address of a request.
 * The one place that may hold it, the editor's secret store, is kept by the browser and encrypted.
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
    ...journal.console.filter(holds).map(() => 'the console'),
    ...journal.requests.filter(({ url }) => holds(url)).map(() => 'the address of a request'),
  ];
}

/** A frame may go while it is read. */
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
