import { t } from '@vscode/l10n';
import { isArray, isJsonObject, type JsonObject, type JsonValue } from '../../../base/json/json.ts';
import { ownMember, toMs, type OnGap } from './resultMembers.ts';
import { readSubtitles, type Subtitles } from './transcript.ts';

/** One additional result of a service, under the service's own name, such as `summarization`. */
export interface AddOn {
  readonly name: string;
  /** `unsaid`: the service does not send an outcome. */
  readonly outcome: 'succeeded' | 'failed' | 'unsaid';
  /** The reason of the failure, as the service describes it. */
  readonly reason: string | undefined;
  readonly passages: readonly Passage[];
  /** Subtitles in other languages; only translations have them. */
  readonly subtitles: readonly Subtitles[];
}

/** One part of an add-on's result: a chapter, an entity, a prompt with its answer, a translation. */
interface Passage {
  /** Headline, type, prompt or language codes. */
  readonly heading: string | undefined;
  readonly text: string;
  /** From the beginning of the audio. */
  readonly startMs: number | undefined;
}

/** The fields that contain the text and heading of a passage; the first one that exists is used. */
interface PassageNames {
  readonly headingKeys: readonly string[];
  readonly textKeys: readonly string[];
}

/** The add-ons whose passages are decoded. Of others, only name and outcome are shown. */
const passageNames: Readonly<Record<string, PassageNames>> = {
  summarization: { headingKeys: [], textKeys: ['summary', 'text'] },
  chapterization: { headingKeys: ['headline', 'gist'], textKeys: ['summary', 'text'] },
  named_entity_recognition: { headingKeys: ['entity_type', 'type'], textKeys: ['text', 'entity'] },
  sentiment_analysis: { headingKeys: ['sentiment', 'emotion'], textKeys: ['text'] },
  translation: { headingKeys: ['languages'], textKeys: ['full_transcript'] },
  audio_to_llm: { headingKeys: ['prompt'], textKeys: ['response'] },
};

/** True if the name alone identifies an add-on, even without an outcome. */
export function isNamedAddOn(name: string): boolean {
  return Object.hasOwn(passageNames, name);
}

/** Maximum number of shown add-ons that no service's contract lists. */
export const maxOtherAddOns = 100;

/** Returns the add-ons of a result: the known ones, and the first of other fields that have an outcome. */
export function readAddOns(result: JsonObject, onGap: OnGap): readonly AddOn[] {
  let others = 0;
  return Object.entries(result).flatMap(([name, value]) => {
    if (name === 'transcription') return isJsonObject(value) ? readFailedParts(value) : [];
    if (name === 'metadata') return [];
    const isKnown = isNamedAddOn(name);
    if (isJsonObject(value) && (isKnown || (others < maxOtherAddOns && saysOutcome(value)))) {
      if (!isKnown) others++;
      return [readAddOn(name, value, onGap)];
    }
    if (isKnown && isArray(value)) return [readAddOn(name, { results: value }, onGap)];
    if (isKnown && value !== null) onGap(`result.${name}`);
    return [];
  });
}

/** True if an unknown field is an add-on, judging by an outcome, or an error with a reason. */
function saysOutcome(block: JsonObject): boolean {
  return typeof ownMember(block, 'success') === 'boolean' || reasonOf(block) !== undefined;
}

/** Returns the parts of a transcription that failed. Others are read with it. */
function readFailedParts(transcription: JsonObject): readonly AddOn[] {
  return ['sentences', 'subtitles'].flatMap((name) => {
    const value = ownMember(transcription, name);
    const failed = (isArray(value) ? value : [value]).filter(
      (part): part is JsonObject => isJsonObject(part) && outcomeOf(part) === 'failed',
    );
    const reason = failed.map(reasonOf).find((each) => each !== undefined);
    return failed.length === 0 ? [] : [{ name, outcome: 'failed', reason, passages: [], subtitles: [] }];
  });
}

function readAddOn(name: string, block: JsonObject, onGap: OnGap): AddOn {
  const path = `result.${name}`;
  const names = isNamedAddOn(name) ? passageNames[name] : undefined;
  const results = ownMember(block, 'results');
  const outcome = outcomeOf(block);
  const passages = names === undefined ? [] : readPassages(results, names, `${path}.results`, onGap);
  const isEmpty = ownMember(block, 'is_empty') === true;
  const error = ownMember(block, 'error');
  if (typeof error === 'number' || typeof error === 'boolean' || isArray(error)) onGap(`${path}.error`);
  if (names !== undefined && passages.length === 0 && outcome !== 'failed' && !isEmpty) onGap(`${path}.results`);
  // The results of an unknown add-on may have any form, so an outcome in them is not that of the add-on.
  const parts = names !== undefined && isArray(results) ? results.filter(isJsonObject) : [];
  return {
    name,
    outcome: parts.some((part) => outcomeOf(part) === 'failed') ? 'failed' : outcome,
    reason: reasonOf(block) ?? parts.map(reasonOf).find((reason) => reason !== undefined),
    passages,
    subtitles: parts.flatMap((part) => readSubtitles(part, `${path}.results[]`, onGap)),
  };
}

/** Returns "Translation failed: …", with the service's words as it sent them. */
export function describeFailedAddOn({ name, reason }: AddOn): string {
  return reason === undefined ? t('{0} failed.', nameAddOn(name)) : t('{0} failed: {1}', nameAddOn(name), reason);
}

/** Returns the display name of an add-on; the service's own name for unknown ones. */
export function nameAddOn(name: string): string {
  switch (name) {
    case 'summarization':
      return t('Summary');
    case 'chapterization':
      return t('Chapters');
    case 'named_entity_recognition':
      return t('Entities');
    case 'sentiment_analysis':
      return t('Sentiment');
    case 'translation':
      return t('Translation');
    case 'audio_to_llm':
      return t('Answers to prompts');
    case 'sentences':
      return t('Sentences');
    case 'subtitles':
      return t('Subtitles');
    default:
      return name;
  }
}

/** True if a part of a result is marked as failed, or has an error with a reason. */
export function saysFailure(block: JsonObject): boolean {
  return outcomeOf(block) === 'failed' || reasonOf(block) !== undefined;
}

/** Returns the failure of a part of a result, with the service's reason if it sent one; undefined if it is not marked as failed. */
export function readFailure(block: JsonObject): { readonly reason: string | undefined } | undefined {
  return saysFailure(block) ? { reason: reasonOf(block) } : undefined;
}

function outcomeOf(block: JsonObject): AddOn['outcome'] {
  const success = ownMember(block, 'success');
  if (success === true || success === 'true') return 'succeeded';
  if (success === false || success === 'false') return 'failed';
  return isJsonObject(ownMember(block, 'error')) || reasonOf(block) !== undefined ? 'failed' : 'unsaid';
}

function reasonOf(block: JsonObject): string | undefined {
  const error = ownMember(block, 'error');
  const reason = isJsonObject(error) ? textUnder(error, ['message', 'exception']) : error;
  return typeof reason === 'string' && reason.trim() !== '' ? reason : undefined;
}

function readPassages(
  results: JsonValue | undefined,
  names: PassageNames,
  path: string,
  onGap: OnGap,
): readonly Passage[] {
  if (results === undefined || results === null) return [];
  if (typeof results === 'string') return [{ heading: undefined, text: results, startMs: undefined }];
  const pieces: readonly JsonValue[] = isArray(results) ? results : [results];
  return pieces.flatMap((piece) => {
    const passage = readPassage(piece, names, `${path}[]`, onGap);
    // A failed passage is reported by its outcome instead.
    if (passage === undefined && !(isJsonObject(piece) && outcomeOf(piece) === 'failed')) onGap(`${path}[]`);
    return passage ?? [];
  });
}

function readPassage(piece: JsonValue, names: PassageNames, path: string, onGap: OnGap): Passage | undefined {
  if (typeof piece === 'string') return { heading: undefined, text: piece, startMs: undefined };
  if (!isJsonObject(piece)) return undefined;
  const inner = ownMember(piece, 'results');
  const holder = isJsonObject(inner) ? inner : piece;
  const text = textUnder(holder, names.textKeys);
  if (text === undefined) return undefined;
  const start = ownMember(holder, 'start');
  const startMs = typeof start === 'number' ? toMs(start) : undefined;
  if (start !== undefined && start !== null && startMs === undefined) onGap(`${path}.start`);
  return {
    heading: textUnder(holder, names.headingKeys),
    text,
    startMs,
  };
}

/** Returns the first of these fields that is a text or a list of texts. */
function textUnder(holder: JsonObject, names: readonly string[]): string | undefined {
  for (const name of names) {
    const value = ownMember(holder, name);
    if (typeof value === 'string' && value !== '') return value;
    if (isArray(value) && value.length > 0 && value.every((each) => typeof each === 'string')) return value.join(', ');
  }
  return undefined;
}
