import type { JobKind } from '../jobs/common/job.ts';
import type { JsonObject } from '../base/json/json.ts';
import type { NonEmpty, Random } from './random.ts';
import { omitUndefined } from './sampleJob.ts';
import { writeCaptions } from './writeCaptions.ts';

/** Conversation of two people in one language. */
interface Talk {
  readonly language: string;
  readonly lines: NonEmpty<string>;
  readonly summary: string;
  /** The lines in English. */
  readonly translated?: readonly string[];
}

const talks: NonEmpty<Talk> = [
  {
    language: 'en',
    lines: [
      'Thanks for calling, you are through to the harbour office. How can I help?',
      'My parcel says it was delivered, but there is nothing at the gate.',
      'Let me have a look. It was handed over at the north quay this morning.',
      'That is the wrong quay. We moved to the old fish market in spring.',
      'I see, the change never reached the carrier. I will send it on today.',
      'Today would be wonderful. The lamp parts in it cannot wait.',
      'You will get a message as soon as the van leaves.',
      'Perfect. And please correct the address while you are at it.',
    ],
    summary: 'A parcel with lamp parts went to the old address and is sent on the same day.',
  },
  {
    language: 'fr',
    lines: [
      'Bonjour, et merci d’être venue nous parler de votre atelier.',
      'Merci à vous. C’est un petit atelier, mais il a une grande fenêtre.',
      'Qu’est-ce qu’on y voit, par cette fenêtre ?',
      'Le canal, les péniches et, le matin, une lumière que je n’ai trouvée nulle part ailleurs.',
      'Et c’est cette lumière que vous essayez de peindre ?',
      'J’essaie surtout de ne pas l’abîmer.',
      'Vous travaillez donc seulement le matin ?',
      'Le matin je peins, l’après-midi j’efface.',
    ],
    summary: 'Une peintre raconte son atelier au bord du canal et la lumière du matin.',
    translated: [
      'Hello, and thank you for coming to talk about your studio.',
      'Thank you. It is a small studio, but it has a big window.',
      'What can you see through that window?',
      'The canal, the barges and, in the morning, a light that I have found nowhere else.',
      'And is that the light that you try to paint?',
      'Mostly I try not to spoil it.',
      'So you only work in the morning?',
      'In the morning I paint, in the afternoon I erase.',
    ],
  },
  {
    language: 'de',
    lines: [
      'Guten Morgen zusammen, fangen wir mit dem Fahrplan an.',
      'Gern. Die neue Linie ist seit Montag in Betrieb und fast immer pünktlich.',
      'Fast immer heißt was genau?',
      'Neunzehn von zwanzig Fahrten, und die zwanzigste hatte eine Herde Schafe vor sich.',
      'Dann halten wir die Schafe im Protokoll fest.',
      'Schon geschehen. Offen ist nur noch die Haltestelle am Mühlbach.',
      'Die klären wir bis Freitag mit der Gemeinde.',
    ],
    summary: 'Die neue Linie fährt pünktlich; die Haltestelle am Mühlbach wird bis Freitag geklärt.',
  },
  {
    language: 'es',
    lines: [
      'Buenas tardes, llamo por la reserva de la sala pequeña.',
      'Sí, la tengo aquí: el jueves a las seis, para doce personas.',
      'Al final seremos veinte. ¿Podríamos pasar a la grande?',
      'La grande está libre a partir de las siete.',
      'A las siete nos va muy bien, así llega también el coro.',
      'Entonces queda anotado. ¿Necesitan el piano?',
      'El piano y, si puede ser, alguien que lo afine.',
    ],
    summary: 'La reserva pasa a la sala grande, el jueves a las siete, con piano.',
  },
  {
    language: 'ja',
    lines: [
      'こんばんは、夜のラジオへようこそ。',
      'こんばんは。今夜は雨の音がよく聞こえますね。',
      'ええ、だから最初の話は傘の話にしましょう。',
      '駅に忘れた傘が、三年後に手紙と一緒に戻ってきたんです。',
      'その手紙には何と書いてありましたか。',
      '「雨の日に助けられました」と、それだけでした。',
    ],
    summary: '三年後に手紙と一緒に戻ってきた傘の話。',
  },
];

/** Inputs of a result besides randomness. */
export interface ResultPlan {
  readonly kind: JobKind;
  /** Undefined if the item does not contain it. */
  readonly audioMs: number | undefined;
  /** Language from the metadata; undefined if they name none. */
  readonly language?: string | undefined;
}

/** In characters per second. */
const speechRate = 14;
const maxUsualLength = 12;

/**
 * Creates a result as a public service sends it in the items of done jobs. Beyond the contract, which does not show the content of results
 * (1, 2.2): two speakers, one or two languages, and add-ons, some with failures.
 */
export function sampleResult(random: Random, { kind, audioMs, language }: ResultPlan): JsonObject {
  const any = random.pick(talks);
  const talk = talks.find((each) => each.language === language) ?? any;
  const other = random.chance(0.2) ? random.pick(talks) : talk;
  const count = random.integer(4, maxUsualLength);
  const speech = speechOf(talk, other, count);
  const lengthMs = audioMs ?? speech.reduce((sum, { ms }) => sum + ms + 600, 1000);
  const utterances = spreadSpeech(speech, lengthMs, random, random.chance(0.35));
  const done = (results: AddOnResults): JsonObject => succeededAddOn(random, results);
  return omitUndefined({
    metadata: measureResult(lengthMs, random),
    transcription: omitUndefined({
      ...writeTranscription(utterances),
      subtitles: random.chance(0.25) ? [writeCaptions(utterances, 'srt')] : undefined,
    }),
    summarization: random.chance(0.5) ? done(talk.summary) : undefined,
    translation: random.chance(0.04) ? failedAddOn('The translation') : translationOf(talk, other, utterances, done),
    sentiment_analysis: random.chance(0.15)
      ? done(utterances.slice(0, 3).map(({ text, start }) => ({ text, sentiment: 'neutral', start })))
      : undefined,
    messages: kind === 'live' ? [] : undefined,
  });
}

/** Creates the result of a very long meeting, some megabytes in size. Generated at each listing instead of cached, to save memory. */
export function longSampleResult(random: Random, audioMs: number): JsonObject {
  const utterances: SampleUtterance[] = [];
  for (let at = 500; ;) {
    const talk = random.pick(talks);
    const speech = speechOf(talk, talk, talk.lines.length);
    const lasting = speech.reduce((sum, { ms }) => sum + ms + 900, 0);
    if (at + lasting > audioMs) break;
    for (const utterance of spreadSpeech(speech, lasting, random, false)) {
      utterances.push({
        ...utterance,
        start: seconds(utterance.start * 1000 + at),
        end: seconds(utterance.end * 1000 + at),
      });
    }
    at += lasting;
  }
  return { metadata: measureResult(audioMs, random), transcription: writeTranscription(utterances) };
}

/** Translates the speech into English, where the sample has it: utterance by utterance, as the original. */
function translationOf(
  talk: Talk,
  other: Talk,
  utterances: readonly SampleUtterance[],
  done: (results: AddOnResults) => JsonObject,
): JsonObject | undefined {
  const { lines, translated } = talk;
  if (translated === undefined || other !== talk) return undefined;
  const texts = utterances.map(({ text }) => translated[lines.indexOf(text)] ?? text);
  const said = utterances.map(({ start, end, channel, speaker, confidence }, index) =>
    omitUndefined({ start, end, confidence, channel, speaker, language: 'en', text: texts[index] }),
  );
  return done([{ languages: ['en'], full_transcript: texts.join(' '), utterances: said }]);
}

/** Returns the block of an add-on that failed. @param part its name at the beginning of a sentence */
export function failedAddOn(part: string): JsonObject {
  return {
    success: false,
    is_empty: false,
    exec_time: 30,
    error: {
      status_code: 504,
      exception: 'AddOnTimeout',
      message: `${part} took too long and was given up.`,
    },
    results: null,
  };
}

/** Results of an add-on. */
type AddOnResults = string | readonly (string | JsonObject)[];

/** Returns the block of an add-on that succeeded. */
export function succeededAddOn(random: Random, results: AddOnResults): JsonObject {
  return { success: true, is_empty: false, exec_time: random.integer(200, 4000) / 1000, error: null, results };
}

/** Part of a conversation, as a public service sends it. */
export type SampleUtterance = JsonObject & {
  readonly text: string;
  readonly language: string;
  /** In seconds. */
  readonly start: number;
  readonly end: number;
};

/** Text that takes a time to say. */
export interface Speech {
  readonly text: string;
  readonly language: string;
  readonly ms: number;
}

function speechOf(talk: Talk, other: Talk, count: number): readonly Speech[] {
  return Array.from({ length: count }, (_, index) => {
    const { language, lines } = index % 4 === 3 ? other : talk;
    const text = lines[index % lines.length] ?? lines[0];
    return { text, language, ms: speakingMs(text, language) };
  });
}

/** Returns how long it takes to say a text. */
export function speakingMs(text: string, language: string): number {
  return Math.round((text.length / (language === 'ja' ? speechRate / 2 : speechRate)) * 1000);
}

/** Spreads utterances over the whole length; omits those that do not fit. @param speakers 0 if they are not separated */
export function spreadSpeech(
  speech: readonly Speech[],
  lengthMs: number,
  random: Random,
  withWords: boolean,
  speakers = 2,
): readonly SampleUtterance[] {
  const whole = speech.reduce((sum, { ms }) => sum + ms, 0);
  const pause = Math.max(0, (lengthMs - whole) / (speech.length + 1));
  const utterances: SampleUtterance[] = [];
  let at = pause;
  for (const [index, { text, language, ms }] of speech.entries()) {
    if (at + ms > lengthMs) break;
    const start = seconds(at);
    const end = seconds(at + ms);
    const confidence = random.integer(82, 99) / 100;
    const speaker = speakers === 0 ? {} : { speaker: index % speakers };
    const words = withWords ? { words: wordsOf(text, at, ms, confidence) } : {};
    utterances.push({ start, end, confidence, channel: 0, ...speaker, language, text, ...words });
    at += ms + pause;
  }
  return utterances;
}

function wordsOf(text: string, fromMs: number, lastingMs: number, confidence: number): readonly JsonObject[] {
  let before = 0;
  return text.split(' ').map((word, index) => {
    const from = fromMs + (lastingMs * before) / text.length;
    const to = from + (lastingMs * word.length) / text.length;
    before += word.length + 1;
    return { word: index === 0 ? word : ` ${word}`, start: seconds(from), end: seconds(to), confidence };
  });
}

export function writeTranscription(utterances: readonly SampleUtterance[]): JsonObject {
  return {
    full_transcript: utterances.map(({ text }) => text).join(' '),
    languages: [...new Set(utterances.map(({ language }) => language))],
    utterances,
  };
}

export function measureResult(audioMs: number, random: Random): JsonObject {
  return {
    audio_duration: seconds(audioMs),
    number_of_distinct_channels: 1,
    billing_time: seconds(Math.ceil(audioMs / 1000) * 1000),
    transcription_time: seconds(audioMs / random.integer(20, 60)),
  };
}

function seconds(ms: number): number {
  return Math.round(ms) / 1000;
}
