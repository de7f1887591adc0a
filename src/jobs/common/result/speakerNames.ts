import { t } from '@vscode/l10n';
import { parseJson } from '../../../base/json/json.ts';
import { oneLine } from '../../../base/outsideText.ts';

/** The speaker of a turn, as far as the service identifies them. */
export interface Speaker {
  /** A number that starts at 0, or the service's name, such as `A`. */
  readonly speaker: number | string | undefined;
  /** Starts at 0; undefined if the transcript has only one channel. */
  readonly channel: number | undefined;
}

/** The names that the user gave to the speakers of a job, by {@link speakerKey}. */
export type SpeakerNames = ReadonlyMap<string, string>;

/** In characters. */
export const maxSpeakerName = 80;

/** Identifies a speaker within a transcript; undefined if the service does not identify the speaker. */
export function speakerKey({ speaker, channel }: Speaker): string | undefined {
  if (speaker === undefined && channel === undefined) return undefined;
  return `${typeof speaker === 'string' ? JSON.stringify(speaker) : (speaker ?? '')}/${channel ?? ''}`;
}

/** Returns the speaker of a {@link speakerKey} that came from a page; undefined for any other text. */
export function readSpeakerKey(key: string): Speaker | undefined {
  const [, speaker = '', channel = ''] = /^(\d{0,15}|"[^\n]{1,500}")\/(\d{0,15})$/.exec(key) ?? [];
  const count = (digits: string): number | undefined => (digits === '' ? undefined : Number(digits));
  const name = speaker.startsWith('"') ? parseJson(speaker) : undefined;
  const read = { speaker: typeof name === 'string' ? name : count(speaker), channel: count(channel) };
  return speakerKey(read) === key ? read : undefined;
}

/** Returns a typed name, on one line and not too long; `''` if no usable characters remain. */
export function readSpeakerName(typed: string): string {
  return oneLine(typed, maxSpeakerName);
}

/**
 * Returns the speaker's display name: the given one, otherwise the service's name, or a number that counts from 1 (the
 * service counts from 0).
 * If speakers are distinguished only by channel, the name of the channel. Undefined if neither is known.
 */
export function nameSpeaker(who: Speaker, names?: SpeakerNames): string | undefined {
  const { speaker, channel } = who;
  const key = speakerKey(who);
  const given = key === undefined ? undefined : names?.get(key);
  if (given !== undefined) return given;
  if (speaker === undefined) return channel === undefined ? undefined : t('Channel {0}', channel + 1);
  // Some services send letters, others names.
  if (typeof speaker === 'string' && speaker.length > 2)
    return channel === undefined ? speaker : t('{0}, channel {1}', speaker, channel + 1);
  const shown = typeof speaker === 'string' ? speaker : speaker + 1;
  return channel === undefined ? t('Speaker {0}', shown) : t('Speaker {0}, channel {1}', shown, channel + 1);
}
