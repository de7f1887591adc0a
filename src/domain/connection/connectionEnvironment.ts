import { originOf } from './baseUrl.ts';
import { checkApiKey } from './connectionKey.ts';

/** Names of the two variables that lend a key to the connection of one origin. */
export const keyVariable = 'TRANSCRIPTION_API_KEY';
const baseUrlVariable = 'TRANSCRIPTION_BASE_URL';

/** A key from the environment and the only origin that may see it. */
export interface EnvironmentKey {
  readonly origin: string;
  readonly key: string;
}

/** Reads both variables; undefined unless both are there and usable. A key without an origin belongs nowhere. */
export function environmentKey(environment: Readonly<Record<string, string | undefined>>): EnvironmentKey | undefined {
  const origin = originOf(environment[baseUrlVariable]?.trim() ?? '');
  const key = checkApiKey(environment[keyVariable] ?? '');
  // `null` is what URL calls the origin of schemes that have none.
  return key.type === 'good' && origin !== '' && origin !== 'null' ? { origin, key: key.text } : undefined;
}
