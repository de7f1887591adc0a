import type * as vscode from 'vscode';
import { submitFiles, submitList } from './batch/submitBatch.ts';
import { requestUris } from './requestText.ts';
import type { SubmitRoom } from './submitRoom.ts';

/** Submits the files that a command was given, or the one that is being edited. @throws UserError or Failure */
export async function submitUris(room: SubmitRoom, given: readonly unknown[]): Promise<void> {
  const uris = requestUris(given);
  const [first, ...others] = uris;
  if (first !== undefined && others.length === 0) await room.submit(first);
  else if (first !== undefined) await alone(room, () => submitFiles(room, uris));
}

/** Submits a template once for each URL of a list. @throws UserError or Failure */
export async function submitUrlList(room: SubmitRoom, given: readonly unknown[]): Promise<void> {
  const template: vscode.Uri | undefined = requestUris(given)[0];
  if (template !== undefined) await alone(room, () => submitList(room, template));
}

/** One batch at a time is asked about and sent. */
async function alone({ busy }: SubmitRoom, body: () => Promise<void>): Promise<void> {
  const name = 'batch';
  if (busy.has(name)) return;
  busy.add(name);
  try {
    await body();
  } finally {
    busy.delete(name);
  }
}
