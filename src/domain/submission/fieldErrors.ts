import type { JsonPath, TextRange } from '../request/json/jsonPlaces.ts';
import { placeRange, type RequestFile } from '../request/requestFile.ts';

/** A complaint of the service about a field, at its place in the request. */
export interface PlacedError {
  readonly range: TextRange;
  /** In the service's words. */
  readonly message: string;
}

/** How services call the whole body before they name a field in it. */
const bodyNames: ReadonlySet<string | number> = new Set(['body', 'request', 'data', 'payload', 'root', '$']);
/** `a`, `a.b`, `a[0].b`, `a.0.b`, `a/0/b`. */
const pathLike = /[A-Za-z_$][\w$]*(?:[./][\w$]+|\[\d+\])*/g;

/**
 * Finds the fields that complaints name. The contract (7) does not show how a service writes them, so each word that could be
 * a path is tried; the one that leads deepest into the request wins. A complaint about a field that is not there stands at the
 * object in which it is missing; one that names no field is left out.
 */
export function placeFieldErrors(file: RequestFile, complaints: readonly string[]): readonly PlacedError[] {
  return complaints.flatMap((message) => {
    const path = fieldIn(file, message);
    if (path === undefined) return [];
    const isThere = file.places.rowAt(path) >= 0;
    const range = isThere
      ? placeRange(file, { path, part: 'value' })
      : placeRange(file, { path: path.slice(0, -1), part: 'begin' });
    return [{ range, message }];
  });
}

/** The path that a complaint most likely means; its last step may be missing in the request. */
function fieldIn(file: RequestFile, message: string): JsonPath | undefined {
  const paths = [...message.matchAll(pathLike)]
    .map(({ 0: text, index }) => ({ steps: stepsOf(text), isName: isName(message, text, index) }))
    .filter(({ steps, isName: named }) => steps.length > 1 || (steps.length === 1 && named))
    .map(({ steps }) => steps);
  const known = paths.map((path) => path.slice(0, depthIn(file, path))).toSorted((a, b) => b.length - a.length)[0];
  if (known !== undefined && known.length > 0) return known;
  const alone = paths.filter((path) => path.length === 1).map(([name]) => onlyMember(file, String(name)));
  // What is not there is known to be a field by its underscore only: "Invalid parameters" names none.
  const missing = paths.find(([first]) => String(first).includes('_'))?.slice(0, 1);
  return alone.find((path) => path !== undefined) ?? missing;
}

/** A word of a sentence can be a field's name, too: it is meant as one with an underscore, in quotes, or as the first word. */
function isName(message: string, word: string, index: number): boolean {
  return word.includes('_') || index === 0 || /["'`]/.test(message[index - 1] ?? '');
}

function stepsOf(text: string): JsonPath {
  const steps = text
    .split(/[./[\]]/)
    .filter((step) => step !== '')
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  return bodyNames.has(steps[0] ?? '') ? steps.slice(1) : steps;
}

/** How many steps of a path are in the request. */
function depthIn({ places }: RequestFile, path: JsonPath): number {
  const missing = path.findIndex((_step, index) => places.rowAt(path.slice(0, index + 1)) < 0);
  return missing < 0 ? path.length : missing;
}

/** The path of the one member with a name; undefined when there are several, or none. */
function onlyMember({ places }: RequestFile, name: string): JsonPath | undefined {
  const rows = Array.from({ length: places.count }, (_, row) => row).filter((row) => places.key(row) === name);
  const [row, another] = rows;
  if (row === undefined || another !== undefined) return undefined;
  const around = places.innermostAround({ offset: places.keyRange(row).offset, length: 0 });
  return around === undefined ? undefined : [...around.path, name];
}
