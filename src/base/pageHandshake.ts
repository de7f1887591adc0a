import { choice, dictionary, optional, text, type Decoded } from './decode/decoder.ts';

/** Messages that every page sends besides its own. */
export const pageHandshake = choice({
  /** The page is ready; sent again when a hidden page is recreated. */
  ready: { timeZone: optional(text) },
  /** The page could not decode a message. */
  dropped: { why: text },
});
export type PageHandshake = Decoded<typeof pageHandshake>;

/** What the first message to every page contains: the language of the editor, and translated strings. */
export const pageLanguage = { language: text, strings: dictionary(text) };
