import type { JsonObject } from '../../../src/base/json/json.ts';

const sentences = [
  'The keeper says that the lamp is lit by hand, every evening, at ten past six.',
  'That is a habit now, and nobody wants to be the last to keep it.',
  'He looked out over the bay for a long time before he went on to speak of his father.',
  'On clear nights the beam can be seen from the far side.',
];
const utteranceSeconds = 6;

/**
 * Returns the item with this many seconds of speech in its result, every word with its timestamps (ten hours: 5 MB), and the text as HTML.
 */
export function withLargeResult(
  item: JsonObject,
  seconds: number,
): { readonly item: JsonObject; readonly html: string; readonly lines: number } {
  const count = seconds / utteranceSeconds;
  const utterances = Array.from({ length: count }, (_, index) => {
    const text = sentences[index % sentences.length] ?? '';
    const start = index * utteranceSeconds;
    const words = text.split(' ').map((word, at) => {
      const from = start + at * 0.3;
      return { word: ` ${word}`, start: from, end: from + 0.29, confidence: 0.87 };
    });
    const speaker = Math.floor(index / 3) % 2;
    return { start, end: start + 5.8, confidence: 0.91, channel: 0, speaker, language: 'en', text, words };
  });
  const paragraphs = utterances.map(({ text }) => `<p>${text}</p>`).join('');
  return {
    item: { ...item, result: { transcription: { languages: ['en'], utterances } } },
    html: `<main>${paragraphs}</main>`,
    lines: count,
  };
}
