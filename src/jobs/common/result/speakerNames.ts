import { t } from '@vscode/l10n';
import { oneLine } from '../../../base/outsideText.ts';

/** The speaker of a turn, as far as the service identifies them. */
export interface Speaker {
  /** Starts at 0. */
  readonly speaker: number | undefined;
  /** Starts at 0; undefined if the transcript has only one channel. */
  readonly channel: number | undefined;
}

/** The names that the user gave to the speakers of a job, by {@link speakerKey}. */
export type SpeakerNames = ReadonlyMap<string, string>;

/** In characters. */
const maxNameLength = 80;

/** Identifies a speaker within a transcript; undefined if the service does not identify the speaker. */
export function speakerKey({ speaker, channel }: Speaker): string | undefined {
  return speaker === undefined && channel === undefined ? undefined : `${speaker ?? ''}/${channel ?? ''}`;
}

/** Returns the speaker of a {@link speakerKey} that came from a page; undefined for any other text. */
export function readSpeakerKey(key: string): Speaker | undefined {
  const [, speaker = '', channel = ''] = /^(\d{0,15})\/(\d{0,15})$/.exec(key) ?? [];
  const count = (digits: string): number | undefined => (digits === '' ? undefined : Number(digits));
  const read = { speaker: count(speaker), channel: count(channel) };
  return speakerKey(read) === key ? read : undefined;
}

/** Returns a typed name, on one line and not too long; `''` if no usable characters remain. */
export function readSpeakerName(typed: string): string {
  return oneLine(typed, maxNameLength);
}

/**
 * Returns the speaker's display name: the given one, otherwise a number that counts from 1 (the service counts from 0).
 * If speakers are distinguished only by channel, the name of the channel. Undefined if neither is known.
 */
export function nameSpeaker(who: Speaker, names?: SpeakerNames): string | undefined {
  const { speaker, channel } = who;
  const key = speakerKey(who);
  const given = key === undefined ? undefined : names?.get(key);
  if (given !== undefined) return given;
  if (speaker === undefined) return channel === undefined ? undefined : t('Channel {0}', channel + 1);
  return channel === undefined
    ? t('Speaker {0}', speaker + 1)
    : t('Speaker {0}, channel {1}', speaker + 1, channel + 1);
}
