import { isJsonObject, type JsonObject, type JsonValue } from '../json/json.ts';
import { attempt, Undecodable, type Decoder } from './decoder.ts';

/**
 * Reads the known fields of an object and reports every deviation from the shape: missing, null, wrong type, unknown field. Never throws.
 * @param path of the object, for the reports: `items[]`.
 */
export function readShape<S extends RecordShape>(
  object: JsonObject,
  shape: S,
  path: string,
  onDeviation: OnDeviation,
): Read<S> {
  const read: Record<string, unknown> = {};
  let present = 0;
  for (const field of Object.keys(shape)) {
    const expected = shape[field];
    if (expected === undefined) continue;
    const value = Object.hasOwn(object, field) ? object[field] : undefined;
    if (value !== undefined) present++;
    read[field] = readField(value, expected, path, field, onDeviation);
  }
  if (present < Object.keys(object).length) {
    onDeviation({ path: `${path}.*`, kind: 'unknownField' });
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the loop above set every key of S, each by its own shape
  return read as Read<S>;
}

/** Expected content of a field: a decoder, or the shape of a nested object. */
type FieldShape = Decoder<unknown> | RecordShape;

/** The known fields of an object, by their names in the response. */
export interface RecordShape {
  readonly [field: string]: FieldShape;
}

/** Result of reading an object by a shape: every known field, undefined where it is missing, null or of the wrong type. */
export type Read<S extends RecordShape> = { readonly [K in keyof S]: FieldValue<S[K]> | undefined };

type FieldValue<F extends FieldShape> = F extends Decoder<infer T> ? T : F extends RecordShape ? Read<F> : never;

/**
 * A difference between a response and the contract. Collected by decoders, never thrown, and logged once per `path` and `kind`, so that
 * tolerated differences are still reported.
 */
export interface SchemaDeviation {
  /**
   * Path with array indexes omitted: `items[].status`. It contains known names only, so that the number of paths is bounded; an unknown
   * field is `*`, because its name may be long or secret.
   */
  readonly path: string;
  readonly kind:
    'missing' | 'null' | 'wrongType' | 'unknownField' | 'unknownValue' | 'unreadable' | 'tooDeep' | 'tooMany';
}

/** Receives each deviation from a shape. */
export type OnDeviation = (deviation: SchemaDeviation) => void;

function readField(
  value: JsonValue | undefined,
  expected: FieldShape,
  path: string,
  field: string,
  onDeviation: OnDeviation,
): unknown {
  if (value === undefined || value === null) {
    onDeviation({ path: `${path}.${field}`, kind: value === null ? 'null' : 'missing' });
    return undefined;
  }
  if (typeof expected === 'object') {
    if (isJsonObject(value)) return readShape(value, expected, `${path}.${field}`, onDeviation);
  } else {
    const read = attempt(expected, value);
    if (!(read instanceof Undecodable)) return read;
  }
  onDeviation({ path: `${path}.${field}`, kind: 'wrongType' });
  return undefined;
}
