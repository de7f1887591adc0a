import type { Job } from '../../../jobs/common/job.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { findMembers } from '../../../base/json/jsonText.ts';
import { readExactJson } from '../../../base/json/readJson.ts';
import { bodyToSend } from '../../../language/requestLanguage.ts';
import type { SentRequest } from '../../../language/editor/requestDocuments.ts';
import { ResendReader, type ResendConnection } from './planResubmission.ts';
import { readSentRequest } from './readSentRequest.ts';
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
