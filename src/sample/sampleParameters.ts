import { type JsonObject, type JsonValue, isJsonObject, parsedJson } from '../domain/json/json.ts';
import { sampleInstant } from './sampleInstant.ts';

/**
 * Reads the parameters of a query string one by one, in every spelling that clients use, and gathers a sentence for
 * each that cannot be understood. Parameters that nobody asks for are ignored.
 */
export class SampleParameters {
  readonly problems: string[] = [];
  readonly #parameters: URLSearchParams;

  constructor(search: string) {
    if (!isPercentEncoded(search)) this.problems.push('the query is not valid percent-encoding');
    this.#parameters = new URLSearchParams(search);
  }

  /** A whole number of at least `least`; `otherwise` when it is not given. */
  whole(name: string, least: number, otherwise: number): number {
    const text = this.#once(name);
    if (text === undefined) return otherwise;
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || !Number.isSafeInteger(value))
      this.problems.push(`${name} must be a whole number, ${least} or more`);
    return value;
  }

  /** A date or date-time in epoch milliseconds. */
  instant(name: string): number | undefined {
    const text = this.#once(name);
    if (text === undefined) return undefined;
    const at = sampleInstant(text);
    if (at === undefined) this.problems.push(`${name} must be an ISO 8601 date or date-time`);
    return at;
  }

  /** The allowed values that are given, each once: repeated, with commas, as `name[]` or `name[0]`. */
  choices<T extends string>(name: string, allowed: readonly T[]): readonly T[] {
    const texts = [...this.#parameters]
      .filter(([key]) => key.startsWith(name) && /^(?:\[\d*\])?$/.test(key.slice(name.length)))
      .flatMap(([, text]) => text.split(','));
    const chosen = texts.map((text) => allowed.find((value) => value === text));
    if (chosen.includes(undefined)) this.problems.push(`each value of ${name} must be one of ${allowed.join(', ')}`);
    return [...new Set(chosen.filter((value) => value !== undefined))];
  }

  /** Objects given as JSON text (`name={"a":"b"}`) or with keys in brackets (`name[a][b]=c`), one for each time. */
  objects(name: string): readonly JsonObject[] {
    return [...this.#parameters]
      .filter(([key]) => key === name || key.startsWith(`${name}[`))
      .flatMap(([key, text]) => {
        const value = key === name ? parsedJson(text) : nested(key.slice(name.length), text);
        if (isJsonObject(value)) return [value];
        this.problems.push(`${name} must be a JSON object or have keys in brackets`);
        return [];
      });
  }

  #once(name: string): string | undefined {
    const values = this.#parameters.getAll(name);
    if (values.length > 1) this.problems.push(`${name} must be given once`);
    return values[0];
  }
}

/** `URLSearchParams` itself lets broken encoding through. */
function isPercentEncoded(search: string): boolean {
  try {
    decodeURIComponent(search);
    return true;
  } catch {
    return false;
  }
}

function nested(brackets: string, text: string): JsonValue | undefined {
  if (!/^(?:\[[^[\]]+\])+$/.test(brackets)) return undefined;
  const path = brackets.slice(1, -1).split('][');
  return path.reduceRight<JsonValue>((value, key) => ({ [key]: value }), text);
}
