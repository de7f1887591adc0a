import { t } from '@vscode/l10n';
import { formatDuration } from '../../../base/duration.ts';
import { formatNumber, type Locale } from '../../../base/format.ts';
import { integer, number } from '../../../base/decode/decoder.ts';
import { readShape } from '../../../base/decode/readShape.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { readAddOns, type AddOn } from './addOns.ts';
import { countOf, memberObject, reportWrongTypes, toMs, type OnGap } from './resultMembers.ts';
import { readTranscript, readTranslations, type Transcript, type Translation } from './transcript.ts';

/**
 * The result in a job item. The contract does not show it (2.2), so it is decoded tolerantly: missing values are undefined,
 * unreadable values are listed in `gaps`, and nothing is guessed.
 */
export interface JobResult {
  readonly figures: ResultFigures;
  readonly transcript: Transcript | undefined;
  readonly translations: readonly Translation[];
  readonly addOns: readonly AddOn[];
  readonly gaps: readonly Gap[];
}

/** Values that the service measured; durations in milliseconds. */
export interface ResultFigures {
  readonly audioMs: number | undefined;
  readonly billedMs: number | undefined;
  readonly processingMs: number | undefined;
  readonly channels: number | undefined;
}

/** One of the figures, as text. */
export interface DescribedFigure {
  readonly id: keyof ResultFigures;
  readonly label: string;
  /** With its unit; undefined if the service did not send it. */
  readonly text: string | undefined;
}

/** Returns all figures, in display order. */
export function describeFigures(figures: ResultFigures, locale: Locale): readonly DescribedFigure[] {
  const { audioMs, billedMs, processingMs, channels } = figures;
  const length = (ms: number | undefined): string | undefined =>
    ms === undefined ? undefined : formatDuration(ms, locale);
  return [
    { id: 'audioMs', label: t('Audio length'), text: length(audioMs) },
    { id: 'billedMs', label: t('Billed time'), text: length(billedMs) },
    { id: 'processingMs', label: t('Transcription time'), text: length(processingMs) },
    {
      id: 'channels',
      label: t('Channels'),
      text: channels === undefined ? undefined : formatNumber(channels, locale),
    },
  ];
}

/** A missing or unreadable part of a result: its path without indexes, and how many times it occurred. */
export interface Gap {
  readonly path: string;
  readonly count: number;
}

/** Decodes the result of an item; undefined if it has none. Never throws. */
export function readResult(item: JsonObject): JobResult | undefined {
  const result = item['result'];
  if (result === undefined || result === null) return undefined;
  const counts = new Map<string, number>();
  const onGap: OnGap = (path) => counts.set(path, (counts.get(path) ?? 0) + 1);
  if (!isJsonObject(result)) onGap('result');
  const parts = isJsonObject(result) ? result : {};
  const read = {
    figures: readFigures(item, parts, onGap),
    transcript: isJsonObject(result) ? readTranscript(parts, onGap) : undefined,
    translations: readTranslations(parts, onGap),
    addOns: readAddOns(parts, onGap),
  };
  return { ...read, gaps: [...counts].map(([path, count]) => ({ path, count })) };
}

const figureShape = {
  audio_duration: number,
  billing_time: number,
  transcription_time: number,
  number_of_distinct_channels: integer(),
} as const;

function readFigures(item: JsonObject, result: JsonObject, onGap: OnGap): ResultFigures {
  const metadata = memberObject(result, 'metadata', 'result', onGap);
  const read = readShape(metadata ?? {}, figureShape, 'result.metadata', metadata ? reportWrongTypes(onGap) : ignore);
  for (const [name, value] of Object.entries(read))
    if (value !== undefined && toMs(value) === undefined) onGap(`result.metadata.${name}`);
  const file = isJsonObject(item['file']) ? item['file'] : {};
  const own = readShape(file, { audio_duration: number, number_of_channels: integer() }, 'file', ignore);
  return {
    audioMs: toMs(read.audio_duration ?? own.audio_duration),
    billedMs: toMs(read.billing_time),
    processingMs: toMs(read.transcription_time),
    channels: countOf(read.number_of_distinct_channels) ?? countOf(own.number_of_channels),
  };
}

const ignore = (): void => undefined;
