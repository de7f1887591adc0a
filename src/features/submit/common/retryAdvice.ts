import { t } from '@vscode/l10n';
import type { JsonObject, JsonPath } from '../../../base/json/json.ts';
import { httpUrl, readLinkExpiry, stringIn } from '../../../language/requestLanguage.ts';

/** Suggested change before the request of a failed job is sent again. */
export interface RetryAdvice {
  /** A localised sentence. It says "may" if it is a guess. */
  readonly text: string;
  /** The field to check first; undefined if there is no particular one. */
  readonly path: JsonPath | undefined;
}

/** Reason why a job failed, according to its item and the user's labels. */
export interface JobFailure {
  /** Its error code, if that is known to be an HTTP status. */
  readonly status: number | undefined;
  /** The user's label for the code. */
  readonly label: string | undefined;
}

/** A cause of failures, the words in labels that indicate it, and the HTTP statuses that mean it. */
interface Cause {
  readonly words: RegExp;
  readonly statuses: readonly number[];
  readonly text: () => string;
  readonly path: JsonPath | undefined;
  /** The same request may succeed later. */
  readonly mayPass?: true;
}

/** In the order in which labels are searched: the more specific first. Labels are the user's words, English or French. */
const causes: readonly Cause[] = [
  {
    words: /\b(?:languages?|langues?)\b/iu,
    statuses: [],
    text: () => t('List the expected languages, or leave them to be detected.'),
    path: ['language_config'],
  },
  {
    words: /\b(?:speakers?|diari[sz]\w*|locuteurs?)\b/iu,
    statuses: [],
    text: () => t('Remove the speaker hints.'),
    path: ['diarization_config'],
  },
  {
    words: /\b(?:callbacks?|webhooks?|rappel)\b/iu,
    statuses: [],
    text: () => t('Check that the callback address responds.'),
    path: ['callback_config'],
  },
  {
    words:
      /\btoo (?:large|long|big)\b|\b(?:size|duration|length|taille|durée)\b|\btrop (?:long|grand|gros|volumineux)/iu,
    statuses: [413],
    text: () => t('The audio may be too long or too large: try a shorter part.'),
    path: ['audio_url'],
  },
  {
    words:
      /format|codec|decod|décod|corrupt|corromp|unsupported|media type|\bno audio\b|\bchannels?\b|illisible|\bcanaux\b/iu,
    statuses: [415],
    text: () => t('The service may not support this audio: try another format, such as WAV or MP3.'),
    path: ['audio_url'],
  },
  {
    words: /not found|introuvable/iu,
    statuses: [404, 410],
    text: () => t('The service may not have found the audio at its address: check the address.'),
    path: ['audio_url'],
  },
  {
    words:
      /download|fetch|\breach|access|forbidden|denied|expire|\blinks?\b|\burls?\b|télécharge|accès|refus|\bliens?\b/iu,
    statuses: [403],
    text: () =>
      t('The service may not have been able to fetch the audio: check that its address works without signing in.'),
    path: ['audio_url'],
  },
  {
    words:
      /\b(?:limits?|quota|too many|rate|concurren\w*|overload\w*|time-?\s?out|timed out|délai|limite|surcharge)\b/iu,
    statuses: [408, 429, 503, 504],
    text: () => t('The service may have been too busy then: the same request may work later.'),
    path: undefined,
    mayPass: true,
  },
  {
    words: /param|setting|config|invalid|validation|bad request|paramètre|réglage|invalide/iu,
    statuses: [400, 422],
    text: () => t('The service may not accept one of the settings of the request.'),
    path: undefined,
  },
  {
    words: /server|internal|serveur|interne/iu,
    statuses: [500, 502],
    text: () => t('The service itself may have failed: the same request may work later.'),
    path: undefined,
    mayPass: true,
  },
];

/**
 * Suggests a change to the request of a failed job. The user's label for the code is more specific than the code, whose meaning is open
 * (contract 7). Current problems of the request itself come before both.
 */
export function adviseRetry(body: JsonObject, { status, label }: JobFailure, nowMs: number): RetryAdvice {
  const address = stringIn(body, 'audio_url')?.trim() ?? '';
  if (address === '') return { text: t('Enter the URL of the audio.'), path: ['audio_url'] };
  const url = httpUrl(address);
  const endMs = url && readLinkExpiry(url);
  if (endMs !== undefined && endMs <= nowMs) {
    return { text: t('The link to the audio has expired: enter a new one.'), path: ['audio_url'] };
  }
  const cause = findCause({ status, label });
  if (cause) return { text: cause.text(), path: cause.path };
  return { text: t('The meaning of the code is unknown: check the settings of the request.'), path: undefined };
}

/** Describes what went wrong, and what to do about it, as a localised sentence; undefined if nothing is known. */
export function describeCause(failure: JobFailure): string | undefined {
  return findCause(failure)?.text();
}

/**
 * Returns the reason why the same request would probably fail again, as a localised sentence; undefined if it may succeed or nothing is
 * known.
 */
export function findLastingCause(failure: JobFailure): string | undefined {
  const cause = findCause(failure);
  return cause === undefined || cause.mayPass === true ? undefined : cause.text();
}

function findCause({ status, label }: JobFailure): Cause | undefined {
  const named = causes.find(({ words }) => label !== undefined && words.test(label));
  // The user's own words must not look like the service's.
  if (named !== undefined) return { ...named, text: () => t('Going by your label: {0}', named.text()) };
  return causes.find(({ statuses }) => status !== undefined && statuses.includes(status));
}
