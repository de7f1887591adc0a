import type { JsonObject, JsonValue } from '../domain/json/json.ts';

/** The fields that are there: `undefined` stands for one that is not sent. */
export function present(fields: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const sent: Record<string, JsonValue> = {};
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) sent[name] = value;
  return sent;
}
