import * as vscode from 'vscode';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { readExactJson } from '../../../base/json/readJson.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { findMembers } from '../../../base/json/jsonText.ts';
import { bodyToSend } from '../../../language/requestLanguage.ts';
import { hasSameMetadata } from '../common/matchConfidence.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import { digest } from '../../../base/digest.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { readRequest, type SentRequest } from '../../../language/editor/requestDocuments.ts';
import { ResendReader, type ResendConnection } from './planResubmission.ts';
import type { Submissions } from './submissions.ts';

/** Finds the file that a job was submitted from; undefined if the journal does not contain the job, or the file no longer exists. */
export async function findSentRequest(
  submissions: Submissions,
  connection: ResendConnection,
  job: Job,
): Promise<SentRequest | undefined> {
  const { submissions: known } = await submissions.readJournal(connection);
  const sent = known.find(({ outcome }) => outcome.type === 'accepted' && outcome.id === job.id);
  const file = sent && (await readSentRequest(sent));
  if (file === undefined || file.isUnchanged || sent?.batch === undefined) return file;
  const reader = new ResendReader(submissions, { connection }, () => Promise.resolve(undefined));
  const [resend] = await reader.read([job], () => undefined);
  if (resend?.isOfList !== true) return file;
  const { request, source } = resend;
  const ofRow = readExactJson(request?.body ?? bodyToSend(file.text));
  if (!isJsonObject(ofRow)) return file;
  const isUnchanged = source === 'same';
  return { ...file, isUnchanged, ofRow: request === undefined ? withMetadataOf(job, ofRow, sent.tag?.key) : ofRow };
}

/** Returns a template without its audio, and with the metadata of a job. @param tagKey of the job's correlation tag */
function withMetadataOf({ raw, cutFields = [] }: Job, template: JsonObject, tagKey: string | undefined): JsonObject {
  const { audio_url: _audio, ...settings } = template;
  const written = findMembers(raw, ['custom_metadata']).get('custom_metadata');
  const metadata = cutFields.includes('custom_metadata') ? null : readExactJson(written ?? 'null');
  if (!isJsonObject(metadata)) return settings;
  const own = Object.entries(metadata).filter(([key]) => key !== tagKey);
  return { ...settings, custom_metadata: Object.fromEntries(own) };
}

/** Reads the file of a submission; undefined if it no longer exists. */
async function readSentRequest(sent: Submission): Promise<SentRequest | undefined> {
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
