import type { IncomingMessage } from 'node:http';
import { type JsonObject, isJsonObject, parseJson } from '../base/json/json.ts';
import { readRequestedResult } from './requestedResult.ts';
import { omitUndefined } from './sampleJob.ts';
import { Refusal } from './sampleQuery.ts';
import type { SampleJobSpec } from './sampleJobs.ts';

const maxBodyBytes = 10 * 1024 * 1024;
const maxMetadataCharacters = 2000;
/** In characters, of the end of an address that is looked at. */
const maxNameLength = 100;

/** Decodes the job that the body of a submission describes (contract 2.4, 4.4). @throws Refusal */
export async function sampleSubmission(request: IncomingMessage): Promise<SampleJobSpec> {
  const mediaType = request.headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (mediaType !== 'application/json') throw new Refusal(415, 'The body must be application/json');
  const body = parseJson(decodeUtf8(await bodyBytes(request)));
  if (body === undefined) throw new Refusal(400, 'The body is not valid JSON');
  if (!isJsonObject(body)) throw new Refusal(400, 'The body must be a JSON object');
  const { audio_url: audioUrl, custom_metadata: metadata } = body;
  const problems: string[] = [];
  if (typeof audioUrl !== 'string' || !isWebUrl(audioUrl)) problems.push('audio_url must be an http or https URL');
  if (metadata !== undefined && !isJsonObject(metadata)) problems.push('custom_metadata must be an object');
  if (isJsonObject(metadata) && lengthAsText(metadata) > maxMetadataCharacters)
    problems.push(`custom_metadata must not be longer than ${maxMetadataCharacters} characters`);
  if (problems.length > 0 || typeof audioUrl !== 'string') throw new Refusal(400, 'Invalid parameters', problems);
  const ending = endingOf(audioUrl);
  const errorCode = ending === undefined ? undefined : errorCodes[ending];
  return {
    fails: errorCode !== undefined,
    ...(errorCode !== undefined && { errorCode }),
    request: readRequestedResult(body, ending === 'partial'),
    fields: omitUndefined({ custom_metadata: metadata, file: audioFile(audioUrl) }),
  };
}

/** Endings of an address that make its job fail, with its error code; undefined if only a part of the result fails. */
const errorCodes = { '404': 404, timeout: 408, partial: undefined } as const;

/** Returns the ending of an address that makes its job fail: of its last name, before a file extension or without one. */
function endingOf(audioUrl: string): keyof typeof errorCodes | undefined {
  const name = new URL(audioUrl).pathname.slice(-maxNameLength).split('/').at(-1) ?? '';
  const ending = /(?:^|[^a-z\d])(404|timeout|partial)(?:\.[a-z\d]{1,5})?$/iu.exec(name)?.[1]?.toLowerCase();
  return ending === '404' || ending === 'timeout' || ending === 'partial' ? ending : undefined;
}

/** Reads an oversized body to its end without storing it: a client that is still sending would miss the response. */
async function bodyBytes(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    if (!Buffer.isBuffer(chunk)) continue;
    size += chunk.length;
    if (size <= maxBodyBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size > maxBodyBytes) throw new Refusal(413, `The body must not be larger than ${maxBodyBytes} bytes`);
  return Buffer.concat(chunks);
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Refusal(400, 'The body is not valid JSON');
  }
}

/** Returns the length as JSON. Nesting too deep to serialize counts as infinite length: such a job could never be listed. */
function lengthAsText(metadata: JsonObject): number {
  try {
    return JSON.stringify(metadata).length;
  } catch {
    return Infinity;
  }
}

function isWebUrl(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

function audioFile(audioUrl: string): JsonObject {
  const filename = new URL(audioUrl).pathname.split('/').at(-1);
  return {
    filename: filename === undefined || filename === '' ? null : filename,
    source: audioUrl,
    audio_duration: null,
    number_of_channels: null,
  };
}
