import * as vscode from 'vscode';
import { stringIn } from '../../../domain/request/requestFields.ts';
import { digest } from '../../../service/ports.ts';
import { UserError } from '../../userError.ts';
import { readRequest, type RequestText } from '../requestText.ts';
import { warningsOf } from '../passed.ts';
import type { SubmitRoom } from '../submitRoom.ts';
import type { PlannedBatch, PlannedRequest } from './plannedBatch.ts';

/** Makes a batch of request files. One that cannot be read or sent is left out and mentioned. */
export async function planFiles(
  room: SubmitRoom,
  uris: readonly vscode.Uri[],
  signal: AbortSignal,
): Promise<PlannedBatch> {
  const requests: PlannedRequest[] = [];
  const leftOut: string[] = [];
  const texts = new Map<string, RequestText>();
  for (const uri of uris) {
    if (signal.aborted) throw new vscode.CancellationError();
    const file = uri.toString();
    try {
      const text = await readRequest(uri);
      const gate = room.gate(text.text);
      if (gate.type === 'blocked') {
        leftOut.push(`${text.name}: ${gate.findings[0]?.message ?? ''}`);
        continue;
      }
      texts.set(file, text);
      const request = { file, body: gate.body, audioUrl: stringIn(gate.request, 'audio_url') };
      requests.push({ item: digest(file), label: text.name, request, warnings: warningsOf(gate) });
    } catch (error) {
      if (!(error instanceof UserError)) throw error;
      leftOut.push(error.message);
    }
  }
  const source = { type: 'files', files: uris.map((uri) => uri.toString()) } as const;
  return { source, requests, leftOut, texts };
}
