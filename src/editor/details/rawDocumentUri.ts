import * as vscode from 'vscode';
import { keyPart } from '../../domain/jobs/job.ts';
import { rawDocumentScheme } from '../ids.ts';

/** Which item a document shows. `canonical`: laid out for comparing, with sorted keys; otherwise as received. */
export interface RawDocument {
  readonly connection: string;
  readonly kind: string;
  readonly id: string;
  readonly canonical: boolean;
}

/** `transcription-job:/Sample/live/1a2b.json`. */
export function rawDocumentUri({ connection, kind, id, canonical }: RawDocument): vscode.Uri {
  const path = `/${[connection, kind, id].map(keyPart).join('/')}.json`;
  return vscode.Uri.from({ scheme: rawDocumentScheme, path, query: canonical ? 'canonical' : '' });
}

/** Reads back what {@link rawDocumentUri} wrote; undefined for anything else. */
export function readRawDocumentUri({ scheme, path, query }: vscode.Uri): RawDocument | undefined {
  const parts = /^\/([^/]*)\/([^/]*)\/([^/]*)\.json$/.exec(path);
  const [connection, kind, id] = (parts?.slice(1) ?? []).map(unescapePart);
  if (scheme !== rawDocumentScheme || connection === undefined || kind === undefined || id === undefined) {
    return undefined;
  }
  return { connection, kind, id, canonical: query === 'canonical' };
}

function unescapePart(part: string): string {
  return part.replace(/%([\da-f]{2})/g, (_match, code: string) => String.fromCharCode(Number.parseInt(code, 16)));
}
