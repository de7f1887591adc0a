import * as vscode from 'vscode';
import type { Job } from '../../../jobs/common/job.ts';
import { findMembers } from '../../../base/json/jsonText.ts';
import { bodyToSend } from '../../../language/requestLanguage.ts';
import { hasSameMetadata } from '../common/matchConfidence.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { digest } from '../../../base/digest.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readRequest, type SentRequest } from '../../../language/editor/requestDocuments.ts';

/** Reads the file of a submission; undefined if it no longer exists. */
export async function readSentRequest(sent: Submission): Promise<SentRequest | undefined> {
  if (!URL.canParse(sent.file)) return undefined;
  const uri = vscode.Uri.parse(sent.file, true);
  try {
    const { text } = await readRequest(uri);
    const isUnchanged = digest(bodyToSend(text)) === sent.bodyHash;
    return { uri, text, isUnchanged };
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** Returns a predicate that is true if a job has the metadata of a submission; always false if the file no longer matches what was sent. */
export async function compareMetadata(sent: Submission): Promise<(job: Pick<Job, 'raw'>) => boolean> {
  const file = await readSentRequest(sent);
  const body = file?.isUnchanged === true ? bodyToSend(file.text) : '';
  const metadata = findMembers(body, ['custom_metadata']).get('custom_metadata');
  return (job) => hasSameMetadata(job, metadata);
}
