import * as vscode from 'vscode';
import { JournalUnwritable, type OutgoingRequest, type SubmitResult } from '../../service/submit/submitter.ts';
import { UserError } from '../userError.ts';
import type { ServiceInUse } from './submitNeeds.ts';
import type { SubmitRoom } from './submitRoom.ts';

/** Sends by one POST, noted in the journal. @throws UserError when it cannot be noted, and so was not sent. */
export function send(...given: Parameters<typeof post>): Promise<SubmitResult> {
  return sayingWhatWasNotSent(() => post(...given));
}

/** Does the same for one of several. @throws JournalUnwritable when it cannot be noted, and so was not sent. */
export function post(
  { submitter, settings }: SubmitRoom,
  { connection, api }: ServiceInUse,
  request: OutgoingRequest,
  signal: AbortSignal,
): Promise<SubmitResult> {
  return submitter.submit({ connection, sink: api }, request, settings.get('submit.correlationTag'), signal);
}

/** Runs what sends. @throws UserError for a submission that could not be noted, and so was not sent. */
export async function sayingWhatWasNotSent<T>(body: () => Promise<T>): Promise<T> {
  try {
    return await body();
  } catch (error) {
    if (!(error instanceof JournalUnwritable)) throw error;
    throw new UserError(
      vscode.l10n.t('Nothing was sent, because the submission could not be written down: {0}', error.message),
    );
  }
}
