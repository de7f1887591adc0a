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
  visitFields(object, shape, path, onDeviation, (name, value) => (read[name] = value));
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- every key of S was visited, each read by its own shape
  return read as Read<S>;
}

/** Reports every deviation like {@link readShape}, for callers that need few of the fields: storing all takes a third of the time of a list. */
export function checkShape(object: JsonObject, shape: RecordShape, path: string, onDeviation: OnDeviation): void {
  visitFields(object, shape, path, onDeviation);
}

function visitFields(
  object: JsonObject,
  shape: RecordShape,
  path: string,
  onDeviation: OnDeviation,
  take?: (name: string, value: unknown) => void,
): void {
  let present = 0;
  for (const field of listFields(shape, path)) {
    const value = object[field.name];
    if (value !== undefined) present++;
    const read = readField(value, field, onDeviation);
    take?.(field.name, read);
  }
  if (present < Object.keys(object).length) onDeviation({ path: `${path}.*`, kind: 'unknownField' });
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

/** A field of a shape, with its path in the reports. */
interface Field {
  readonly name: string;
  readonly path: string;
  readonly expected: FieldShape;
}

interface FieldList {
  readonly path: string;
  readonly fields: readonly Field[];
}

/** The fields of each shape at the path that was read last: the items of a list are read thousands of times at the same path. */
const fieldLists = new WeakMap<RecordShape, FieldList>();

function listFields(shape: RecordShape, path: string): readonly Field[] {
  const known = fieldLists.get(shape);
  if (known?.path === path) return known.fields;
  const fields = Object.entries(shape).map(([name, expected]) => ({ name, path: `${path}.${name}`, expected }));
  fieldLists.set(shape, { path, fields });
  return fields;
}

function readField(value: JsonValue | undefined, { path, expected }: Field, onDeviation: OnDeviation): unknown {
  if (value === undefined || value === null) {
    onDeviation({ path, kind: value === null ? 'null' : 'missing' });
    return undefined;
  }
  if (typeof expected === 'object') {
    if (isJsonObject(value)) return readShape(value, expected, path, onDeviation);
  } else {
    const read = attempt(expected, value);
    if (!(read instanceof Undecodable)) return read;
  }
  onDeviation({ path, kind: 'wrongType' });
  return undefined;
}
