import { schemaTexts } from '../../../media/schemas/mapSchemaTexts.ts';
import type { Texts } from './translationProblems.ts';

/** The texts of a JSON schema in the format of a bundle: each is its own key. */
export function schemaStrings(schema: unknown): Texts {
  return Object.fromEntries(schemaTexts(schema).map((text) => [text, text]));
}
