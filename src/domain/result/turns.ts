import { t } from '@vscode/l10n';
import type { Transcript, Utterance } from './transcript.ts';

/** What one speaker said in one go, in one language. */
export interface Turn {
  readonly speaker: number | undefined;
  /** Undefined when all of the transcript is of one channel. */
  readonly channel: number | undefined;
  readonly language: string | undefined;
  readonly utterances: readonly Utterance[];
}

/** Utterances that follow each other, grouped by who said them and in which language. */
export function groupTurns({ utterances }: Pick<Transcript, 'utterances'>): readonly Turn[] {
  const hasChannels = new Set(utterances.map(({ channel }) => channel)).size > 1;
  const turns: (Turn & { readonly utterances: Utterance[] })[] = [];
  for (const utterance of utterances) {
    const { speaker, language } = utterance;
    const channel = hasChannels ? utterance.channel : undefined;
    const last = turns.at(-1);
    if (last?.speaker === speaker && last?.channel === channel && last?.language === language && last !== undefined) {
      last.utterances.push(utterance);
    } else turns.push({ speaker, channel, language, utterances: [utterance] });
  }
  return turns;
}

/**
 * Who speaks in a turn, counted from 1 though the service counts from 0; undefined when it does not say. Where a channel is all that
 * tells speakers apart, the channel's name.
 */
export function nameSpeaker({ speaker, channel }: Pick<Turn, 'speaker' | 'channel'>): string | undefined {
  if (speaker === undefined) return channel === undefined ? undefined : t('Channel {0}', channel + 1);
  return channel === undefined
    ? t('Speaker {0}', speaker + 1)
    : t('Speaker {0}, channel {1}', speaker + 1, channel + 1);
}

/** Speaker and language as they stand beside a turn: "Speaker 1 (en)"; empty when neither is known. */
export function labelTurn(turn: Turn): string {
  const name = nameSpeaker(turn);
  if (turn.language === undefined) return name ?? '';
  return name === undefined ? turn.language : t('{0} ({1})', name, turn.language);
}

/** A position in audio: "00:12", "1:02:03". @param ms milliseconds, not negative. */
export function formatPosition(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const digits = (value: number): string => String(value).padStart(2, '0');
  const below = `${digits(Math.floor(seconds / 60) % 60)}:${digits(seconds % 60)}`;
  return seconds < 3600 ? below : `${Math.floor(seconds / 3600)}:${below}`;
}
