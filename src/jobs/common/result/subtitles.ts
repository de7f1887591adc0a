import { t } from '@vscode/l10n';
import { hourMs, minuteMs } from '../../../base/time.ts';
import { makeCaptions, minShownMs, startOf, type Caption, type SubtitleLimits } from './captions.ts';
import { linePieces } from './linePieces.ts';
import type { SpeakerNames } from './speakerNames.ts';
import type { Transcript } from './transcript.ts';

/** The subtitle formats that players support. */
export const subtitleFormats = ['srt', 'vtt'] as const;
export type SubtitleFormat = (typeof subtitleFormats)[number];

/** Where the subtitles of a file come from, and what is wrong with those that the service sent. */
export type SubtitleSource =
  /** Sent by the service. A fault means that players may skip some captions. */
  | { readonly type: 'sent'; readonly text: string; readonly fault: SubtitleFault | undefined }
  /** Converted from the SRT that the service sent, because there is nothing to make captions from. */
  | { readonly type: 'converted'; readonly text: string; readonly fault: SubtitleFault | undefined }
  /** Made from the utterances. A fault means that those of the service cannot be used. */
  | { readonly type: 'made'; readonly fault: SubtitleFault | undefined }
  /** There are none. A fault means that those of the service cannot be used. */
  | { readonly type: 'none'; readonly fault: SubtitleFault | undefined };

/** A fault of subtitles that a service sent, and the number of captions that have it. */
interface SubtitleFault {
  /**
   * `unreadable`: no caption can be read. `damaged`: some captions have no readable times. `odd`: some captions have no
   * length, or begin before the previous one, which players handle.
   */
  readonly kind: 'unreadable' | 'damaged' | 'odd';
  readonly count: number;
}

/**
 * Returns a sentence about subtitles that are not simply those of the service, or made because it sent none; undefined
 * if they are. @param format `SRT` or `VTT`
 */
export function describeSubtitles(format: string, { type, fault }: SubtitleSource): string | undefined {
  const what = fault && describeCaptions(fault);
  if (what === undefined)
    return type === 'converted' ? t('{0}: converted from the SRT that the service sent.', format) : undefined;
  switch (type) {
    case 'converted':
      return t("{0}: converted from the SRT that the service sent; in the service's own subtitles {1}.", format, what);
    case 'sent':
      return t('{0}: saved as the service sent it, but {1}.', format, what);
    case 'made':
      return t("{0}: made from the transcript, because in the service's own subtitles {1}.", format, what);
    case 'none':
      return t("{0}: not saved, because in the service's own subtitles {1}.", format, what);
  }
}

function describeCaptions({ kind, count }: SubtitleFault): string {
  switch (kind) {
    case 'unreadable':
      return t('no caption can be read');
    case 'damaged':
      return count === 1 ? t('1 caption has no readable times') : t('{0} captions have no readable times', count);
    case 'odd':
      return count === 1
        ? t('1 caption has no length or is out of order')
        : t('{0} captions have no length or are out of order', count);
  }
}

/**
 * Chooses the source of subtitles: the service's own, as sent, if players can read them; otherwise captions made from
 * the utterances that have a time; otherwise its SRT, converted to WebVTT. Does not make captions, which may cover ten hours. The caller can yield to the event
 * loop between the steps.
 */
export function* chooseSubtitles(transcript: Transcript, format: SubtitleFormat): Generator<undefined, SubtitleSource> {
  let fault: SubtitleFault | undefined;
  let damaged: string | undefined;
  for (const { format: sent, text } of transcript.subtitles) {
    if (sent.toLowerCase() !== format) continue;
    const found = yield* checkSubtitles(text, format);
    if (found === undefined || found.kind === 'odd') return { type: 'sent', text, fault: found };
    if (found.kind === 'damaged') damaged ??= text;
    fault ??= found;
  }
  if (yield* hasTimes(transcript)) return { type: 'made', fault };
  if (damaged === undefined && format === 'vtt') {
    const srt = yield* chooseSubtitles(transcript, 'srt');
    if (srt.type === 'sent') return { type: 'converted', text: srt.text, fault: fault ?? srt.fault };
  }
  return damaged === undefined ? { type: 'none', fault } : { type: 'sent', text: damaged, fault };
}

function* hasTimes({ utterances }: Transcript): Generator<undefined, boolean> {
  for (const utterance of utterances) {
    for (const piece of startOf(utterance) === undefined ? [] : linePieces([utterance.text])) {
      if (piece !== '') return true;
      yield;
    }
    yield;
  }
  return false;
}

const srtTimes =
  /^\s*(\d{1,3}):([0-5]?\d):([0-5]?\d)[,.](\d{1,3})[ \t]*-->[ \t]*(\d{1,3}):([0-5]?\d):([0-5]?\d)[,.](\d{1,3})(?:[ \t].*)?$/u;
const vttTimes =
  /^(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})[ \t]+-->[ \t]+(?:(\d{2,4}):)?([0-5]\d):([0-5]\d)\.(\d{3})(?:[ \t].*)?$/u;

/** In characters, before and after the arrow. No line of times is longer. */
const maxTimesLength = 1000;

/** A line of times in subtitles. */
interface TimesLine {
  /** Indexes of the line, without its line break. */
  readonly startAt: number;
  readonly endAt: number;
  /** NaN if they are damaged. */
  readonly startMs: number;
  readonly endMs: number;
}

/** Yields the lines of times in subtitles, and undefined for other lines with an arrow. */
function* timesLines(text: string, format: SubtitleFormat): Generator<TimesLine | undefined, void> {
  for (let at = text.indexOf('-->'); at !== -1; at = text.indexOf('-->', at)) {
    const before = text.slice(Math.max(0, at - maxTimesLength), at);
    const start = Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
    const startAt = at - before.length + start;
    const [after = ''] = /^[^\r\n]*/u.exec(text.slice(at, at + maxTimesLength)) ?? [];
    at += after.length;
    const line = before.slice(start) + after;
    const times = (format === 'vtt' ? vttTimes : srtTimes).exec(line)?.slice(1);
    const [startMs = Number.NaN, endMs = Number.NaN] = [times?.slice(0, 4), times?.slice(4)].map(momentOf);
    // SubRip allows an arrow in the text of a caption.
    yield times === undefined && format === 'srt' && !/^\s*\d/u.test(line)
      ? undefined
      : { startAt, endAt: at, startMs, endMs };
  }
}

/** Returns what is wrong with subtitles; undefined if every caption has well-formed times, in order. */
function* checkSubtitles(text: string, format: SubtitleFormat): Generator<undefined, SubtitleFault | undefined> {
  const isVtt = /^\uFEFF?WEBVTT(?:[ \t\r\n]|$)/u.test(text);
  if (text.includes('\0') || (format === 'vtt') !== isVtt) return { kind: 'unreadable', count: 0 };
  let latestMs = 0;
  let [readable, damaged, odd] = [0, 0, 0];
  for (const times of timesLines(text, format)) {
    yield;
    if (times === undefined) continue;
    const { startMs, endMs } = times;
    if (!(startMs >= 0 && endMs >= startMs)) {
      damaged++;
      continue;
    }
    readable++;
    if (endMs === startMs || startMs < latestMs) odd++;
    latestMs = Math.max(latestMs, startMs);
  }
  if (readable === 0) return { kind: 'unreadable', count: damaged };
  if (damaged > 0) return { kind: 'damaged', count: damaged };
  return odd > 0 ? { kind: 'odd', count: odd } : undefined;
}

/** Converts hours, minutes, seconds and milliseconds, given as digits; hours may be missing. NaN if there are no times. */
function momentOf(digits: readonly string[] | undefined): number {
  const [hours = '0', minutes, seconds, ms] = digits ?? [];
  return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1000 + Number(ms?.padEnd(3, '0'));
}

/**
 * Returns the content of a subtitle file from its source; undefined if there are no captions. The caller can yield to
 * the event loop between the steps.
 */
export function* writeSubtitles(
  transcript: Transcript,
  format: SubtitleFormat,
  source: SubtitleSource,
  limits: SubtitleLimits,
  names?: SpeakerNames,
): Generator<undefined, string | undefined> {
  if (source.type === 'sent') return source.text;
  if (source.type === 'none') return undefined;
  if (source.type === 'converted') return yield* convertSrt(source.text);
  const captions = yield* makeCaptions(transcript.utterances, { limits, names, withNames: format === 'srt' });
  return captions.length === 0 ? undefined : yield* writeCaptions(captions, format);
}

function* writeCaptions(captions: readonly Caption[], format: SubtitleFormat): Generator<undefined, string> {
  const blocks = format === 'vtt' ? ['WEBVTT'] : [];
  for (const [index, { startMs, endMs, rows, voice }] of captions.entries()) {
    const times = `${timecode(startMs, format)} --> ${timecode(endMs, format)}`;
    const lines = rows.map(format === 'vtt' ? escapeCue : replaceMarkup);
    if (format === 'vtt' && voice !== undefined) lines[0] = `<v ${escapeCue(voice)}>${lines[0] ?? ''}`;
    blocks.push([...(format === 'srt' ? [String(index + 1)] : []), times, ...lines].join('\n'));
    yield;
  }
  return `${blocks.join('\n\n')}\n`;
}

/** In characters. A caption of SubRip that is longer is cut; nobody could read it. */
const maxCaptionLength = 20_000;

/** Converts SRT to WebVTT. Leaves out captions with damaged times, and lengthens those without a length. */
function* convertSrt(text: string): Generator<undefined, string> {
  const blocks = ['WEBVTT'];
  let last: TimesLine | undefined;
  const add = (until: number): void => {
    if (last === undefined || !(last.startMs >= 0 && last.endMs >= last.startMs)) return;
    const { startMs, endMs, endAt } = last;
    // Empty lines end captions of WebVTT. The number of the next caption is not a part of this one.
    const rows = text.slice(endAt, Math.min(until, endAt + maxCaptionLength)).split(/\r\n?|\n/u);
    const shown = rows.filter((row) => row.trim() !== '');
    if (until < text.length && /^\s{0,9}\d{1,9}\s{0,9}$/u.test(shown.at(-1) ?? '')) shown.pop();
    if (shown.length === 0) return;
    const end = timecode(endMs === startMs ? startMs + minShownMs : endMs, 'vtt');
    blocks.push([`${timecode(startMs, 'vtt')} --> ${end}`, ...shown.map(convertRow)].join('\n'));
  };
  for (const times of timesLines(text, 'srt')) {
    yield;
    if (times === undefined) continue;
    add(times.startAt);
    last = times;
  }
  add(text.length);
  yield;
  return `${blocks.join('\n\n')}\n`;
}

/** Keeps the tags that both formats have: `<b>`, `<i>` and `<u>`. Removes fonts and positions. */
function convertRow(row: string): string {
  return row
    .replaceAll(/<\/?font[^<>]{0,200}>|\{\\an?\d{1,2}\}/giu, '')
    .split(/(<\/?[biu]>)/iu)
    .map((part, index) => (index % 2 === 1 ? part.toLowerCase() : escapeCue(part)))
    .join('');
}

/** Escapes the markup of WebVTT. */
function escapeCue(row: string): string {
  return row.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** SubRip has no escapes, and players read different markup: `<i>`, `{\\an8}`, `\\N`. Characters that look alike are never markup. */
const lookAlikes: Readonly<Record<string, string>> = { '<': '‹', '>': '›', '{': '(', '}': ')', '\\': '∖' };

function replaceMarkup(row: string): string {
  return row.replaceAll(/[<>{}]|\\(?=[Nnh])/g, (sign) => lookAlikes[sign] ?? sign);
}

function timecode(ms: number, format: SubtitleFormat): string {
  const digits = (value: number, length = 2): string => String(Math.floor(value)).padStart(length, '0');
  const clock = [ms / hourMs, (ms / minuteMs) % 60, (ms / 1000) % 60].map((value) => digits(value)).join(':');
  return `${clock}${format === 'srt' ? ',' : '.'}${digits(ms % 1000, 3)}`;
}
