import { t } from '@vscode/l10n';
import { nameSpeaker, type Speaker, type SpeakerNames } from './speakerNames.ts';
import type { Transcript, Utterance } from './transcript.ts';

/** Consecutive utterances of one speaker in one language. */
export interface Turn extends Speaker {
  readonly language: string | undefined;
  readonly utterances: readonly Utterance[];
}

/** Groups consecutive utterances by speaker, channel and language. */
export function groupTurns(transcript: Pick<Transcript, 'utterances'>): readonly Turn[] {
  return [...eachTurn(transcript)];
}

/** Yields the same one by one, for transcripts of any length. */
export function* eachTurn({ utterances }: Pick<Transcript, 'utterances'>): Generator<Turn, void> {
  const hasChannels = utterances.some(({ channel }) => channel !== utterances[0]?.channel);
  let last: (Turn & { readonly utterances: Utterance[] }) | undefined;
  for (const utterance of utterances) {
    const { speaker, language } = utterance;
    const channel = hasChannels ? utterance.channel : undefined;
    // An utterance that starts before the previous one gets its own time.
    const goesBack = (utterance.startMs ?? Infinity) < (last?.utterances.at(-1)?.startMs ?? 0);
    const isSame = last?.speaker === speaker && last?.channel === channel && last?.language === language;
    if (last !== undefined && isSame && !goesBack) {
      last.utterances.push(utterance);
      continue;
    }
    if (last !== undefined) yield last;
    last = { speaker, channel, language, utterances: [utterance] };
  }
  if (last !== undefined) yield last;
}

/** Returns speaker and language for display next to a turn: "Speaker 1 (en)"; empty if neither is known. */
export function labelTurn(turn: Turn, names?: SpeakerNames): string {
  const name = nameSpeaker(turn, names);
  if (turn.language === undefined) return name ?? '';
  return name === undefined ? turn.language : t('{0} ({1})', name, turn.language);
}

/** Formats a position in the audio: "00:12", "1:02:03". @param ms milliseconds, not negative. */
export function formatPosition(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  const digits = (value: number): string => String(value).padStart(2, '0');
  const below = `${digits(Math.floor(seconds / 60) % 60)}:${digits(seconds % 60)}`;
  return seconds < 3600 ? below : `${Math.floor(seconds / 3600)}:${below}`;
}
