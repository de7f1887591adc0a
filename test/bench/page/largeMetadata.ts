import type { JsonObject } from '../../../src/base/json/json.ts';

/** Returns the item with a megabyte of custom metadata: 8,000 entries, including a list and an object. */
export function withLargeMetadata(item: JsonObject): JsonObject {
  const entries = Array.from({ length: 8_000 }, (_, index): [string, string] => [
    `entry ${index}`,
    `Recorded in room ${index % 40}, two microphones, some noise from the street after the first half hour; row ${index}`,
  ]);
  const tags = Array.from({ length: 200 }, (_, index) => `tag ${index}`);
  return {
    ...item,
    custom_metadata: { ...Object.fromEntries(entries), tags, speakers: { first: 'Inès', second: 'Jo' } },
  };
}
