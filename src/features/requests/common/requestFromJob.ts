import { t } from '@vscode/l10n';
import type { Job } from '../../../jobs/common/job.ts';
import { isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { findMembers, hasMoreValues } from '../../../base/json/jsonText.ts';
import { isCostlyToRead, readExactJson } from '../../../base/json/readJson.ts';
import type { KnownService } from '../../../known/knownService.ts';
import {
  findField,
  GrowingRequest,
  maxEditorValues,
  objectIn,
  settingsOfRenamed,
  stringIn,
} from '../../../language/requestLanguage.ts';

/** Outcome of copying one setting of a job. */
export interface SettingFate {
  /** Its path in the job: `realtime_processing.custom_vocabulary`. */
  readonly from: string;
  /** Copied: equal in the request. Needs input: the job has only part of it. No counterpart: requests have no such setting. */
  readonly fate: 'copied' | 'needsInput' | 'noCounterpart';
  /** Localised: the value that the user must enter. */
  readonly note?: string;
}

export interface RequestFromJob {
  /** Without `audio_url` when the job has none, such as a live session. */
  readonly body: JsonObject;
  readonly fates: readonly SettingFate[];
}

/** Settings that requests have as well, by their path in the live job (contract 2.3), and their name in requests (contract 2.4). */
const counterparts: ReadonlyMap<string, string> = new Map([
  ['language_config', 'language_config'],
  ['realtime_processing.custom_vocabulary', 'custom_vocabulary'],
  ['realtime_processing.custom_vocabulary_config', 'custom_vocabulary_config'],
  ['realtime_processing.custom_spelling', 'custom_spelling'],
  ['realtime_processing.custom_spelling_config', 'custom_spelling_config'],
  ['realtime_processing.translation', 'translation'],
  ['realtime_processing.translation_config', 'translation_config'],
  ['realtime_processing.named_entity_recognition', 'named_entity_recognition'],
  ['realtime_processing.sentiment_analysis', 'sentiment_analysis'],
  ['post_processing.summarization', 'summarization'],
  ['post_processing.summarization_config', 'summarization_config'],
]);

/** Objects whose members are settings of their own. */
const groups = new Set(['pre_processing', 'realtime_processing', 'post_processing']);

/**
 * Makes a request from the settings of a job, as far as the job has them: a live session (contract 2.3), or a pre-recorded job whose
 * service echoes its request. Legacy names are converted.
 * @param item the job item as received (contract 2.2)
 * @returns undefined when the job has no request settings
 */
export function makeRequestFromJob(item: JsonObject, service: KnownService | undefined): RequestFromJob | undefined {
  if (stringIn(item, 'kind') === 'live') return requestFromLiveJob(item);
  const params = objectIn(item, 'request_params');
  return params && requestFromEcho(params, objectIn(item, 'custom_metadata'), service);
}

type EchoingJob = Pick<Job, 'raw' | 'cutFields'>;

/** Makes the same request from a job in a list. Numbers are sent as the service wrote them; undefined also if {@link isEchoTooLong}. */
export function makeRequestOfJob(job: EchoingJob, service: KnownService | undefined): RequestFromJob | undefined {
  if (isEchoTooLong(job)) return undefined;
  const item: JsonObject = Object.fromEntries(echoedTexts(job).map(([name, text]) => [name, readExactJson(text)]));
  return makeRequestFromJob(item, service);
}

/**
 * True if the service echoes a request that is too long to recreate: rows do not have all of it, it has more values than VS Code submits,
 * or too many numbers to preserve their notation.
 */
export function isEchoTooLong(job: EchoingJob): boolean {
  return (
    job.cutFields?.some((name) => name === 'request_params' || name === 'custom_metadata') === true ||
    echoedTexts(job).some(([, text]) => isCostlyToRead(text)) ||
    hasTooManyValues(echoedTexts(job))
  );
}

function hasTooManyValues(members: readonly (readonly [name: string, text: string])[]): boolean {
  const texts = members.flatMap(([name, text]) => (name === 'kind' ? [] : [text]));
  // One more for the list.
  return hasMoreValues(`[${texts.join(',')}]`, maxEditorValues + 1);
}

/** Returns the reason why no request is made from such a job. */
export function describeLongEcho(): string {
  return t('The request that the service returns is too long to be sent again from here.');
}

function echoedTexts({ raw }: EchoingJob): readonly [name: string, text: string][] {
  return [...findMembers(raw, ['kind', 'request_params', 'custom_metadata'])];
}

function requestFromEcho(
  params: JsonObject,
  metadata: JsonObject | undefined,
  service: KnownService | undefined,
): RequestFromJob {
  const body = new GrowingRequest({});
  const fates: SettingFate[] = [];
  const { audio_url: audioUrl, ...rest } = params;
  if (typeof audioUrl === 'string') {
    body.set('audio_url', audioUrl);
    fates.push({ from: 'audio_url', fate: 'copied', note: t('The link may have expired.') });
  } else fates.push({ from: 'audio_url', fate: 'needsInput', note: t('The URL of the audio.') });
  for (const [from, value] of settingsOf(rest)) {
    const renamed = service?.renamed.get(from);
    const settings = renamed ? settingsOfRenamed([from], value, renamed) : [];
    if (settings === undefined) {
      fates.push({ from, fate: 'needsInput', note: t('Its settings, which are too many to be moved.') });
      continue;
    }
    if (findField([from]) && renamed === undefined) {
      body.set(from, withoutNulls(value));
      fates.push({ from, fate: 'copied' });
    } else if (settings.length > 0) {
      for (const setting of settings) body.add(setting);
      fates.push({
        from,
        fate: 'copied',
        note: t('Old name: now {0}.', settings.map(([path]) => path.join('.')).join(', ')),
      });
    } else fates.push({ from, fate: 'noCounterpart' });
  }
  if (metadata) {
    body.set('custom_metadata', metadata);
    fates.push({ from: 'custom_metadata', fate: 'copied' });
  }
  return { body: withoutOldNames(body.body(), service, fates), fates };
}

/** Removes legacy names in nested settings, which have no counterpart. */
function withoutOldNames(body: JsonObject, service: KnownService | undefined, fates: SettingFate[]): JsonObject {
  const entries = Object.entries(body).map(([name, value]): readonly [string, JsonValue] => {
    if (!isJsonObject(value) || name === 'custom_metadata') return [name, value];
    const kept = Object.entries(value).filter(([inner]) => {
      const path = `${name}.${inner}`;
      if (service?.renamed.has(path) !== true) return true;
      fates.push({ from: path, fate: 'noCounterpart' });
      return false;
    });
    return [name, Object.fromEntries(kept)];
  });
  return Object.fromEntries(entries);
}

/** Removes nulls: the service echoes null for omitted fields. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== null));
}

/**
 * Makes a request from the settings of a live session, as far as its job has them.
 * @param item the job item as received (contract 2.2)
 */
export function requestFromLiveJob(item: JsonObject): RequestFromJob {
  const settings = settingsOf(objectIn(item, 'request_params') ?? {});
  const body: Record<string, JsonValue> = {};
  const fates: SettingFate[] = [{ from: 'audio_url', fate: 'needsInput', note: t('The URL of the audio.') }];
  for (const [from, value] of settings) {
    const name = counterparts.get(from);
    if (name === undefined) {
      fates.push({ from, fate: 'noCounterpart' });
      continue;
    }
    const lacking = settings.has(`${from}_config`) ? undefined : configNote(name);
    fates.push(lacking === undefined ? { from, fate: 'copied' } : { from, fate: 'needsInput', note: lacking });
    body[name] = value;
  }
  return { body, fates };
}

/**
 * Returns the settings by path, with groups flattened. Switches that are off and their settings are omitted, which has the same effect in a
 * request.
 */
function settingsOf(params: JsonObject): ReadonlyMap<string, JsonValue> {
  const settings = new Map<string, JsonValue>();
  for (const [name, value] of Object.entries(params)) {
    if (groups.has(name) && isJsonObject(value)) {
      for (const [inner, setting] of Object.entries(value)) settings.set(`${name}.${inner}`, setting);
    } else settings.set(name, value);
  }
  for (const [path, value] of settings) {
    const isOff = value === false || value === null;
    if (isOff) settings.delete(`${path}_config`);
    if (isOff) settings.delete(path);
  }
  return settings;
}

/** Returns a localised note on the part of a setting that a job never has; undefined if the job has all of it. */
function configNote(name: string): string | undefined {
  switch (name) {
    case 'custom_vocabulary':
      return t('The terms, in custom_vocabulary_config.');
    case 'custom_spelling':
      return t('The dictionary, in custom_spelling_config.');
    case 'translation':
      return t('The target languages, in translation_config.');
    default:
      return undefined;
  }
}
