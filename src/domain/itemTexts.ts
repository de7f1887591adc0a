import { elementTextsOf } from './jsonText.ts';

/**
 * The JSON texts of the elements of the top-level array `items`, byte for byte.
 * They share the page's memory, which is why a job can keep its own text at no cost.
 * @param page JSON text that `JSON.parse` has accepted and that is an object. With the key twice, the last counts, as in `JSON.parse`.
 */
export function itemTexts(page: string): string[] {
  return elementTextsOf(page, 'items');
}
