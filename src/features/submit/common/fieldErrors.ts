import {
  findNode,
  type JsonNode,
  placeRange,
  type RequestFile,
  type TextRange,
} from '../../../language/requestLanguage.ts';
import type { JsonPath } from '../../../base/json/json.ts';
import { rememberPerObject } from '../../../base/rememberPerObject.ts';

/** A field error of the service and its location in the request. */
export interface PlacedError {
  readonly range: TextRange;
  /** The service's message. */
  readonly message: string;
}

/** Names that services use for the whole body at the start of a path. */
const bodyNames: ReadonlySet<string | number> = new Set(['body', 'request', 'data', 'payload', 'root', '$']);
/** `a`, `a.b`, `a[0].b`, `a.0.b`, `a/0/b`. */
const pathLike = /[A-Za-z_$][\w$]*(?:[./][\w$]+|\[\d+\])*/g;

/**
 * Locates the fields named in error messages. The contract (7) does not show how a service writes them, so every word that
 * could be a path is tried, and the longest path that exists in the request is used. An error about a missing field is
 * located at the object that should contain it; one that names no field is omitted.
 */
export function placeFieldErrors(file: RequestFile, complaints: readonly string[]): readonly PlacedError[] {
  return complaints.flatMap((message) => {
    const path = fieldIn(file, message);
    if (path === undefined) return [];
    const isThere = findNode(file.root, path) !== undefined;
    const range = isThere
      ? placeRange(file, { path, part: 'value' })
      : placeRange(file, { path: path.slice(0, -1), part: 'begin' });
    return [{ range, message }];
  });
}

/** Returns the path that a message most likely names; its last step may be missing in the request. */
function fieldIn(file: RequestFile, message: string): JsonPath | undefined {
  const texts = new Map<string, boolean>();
  for (const { 0: text, index } of message.matchAll(pathLike))
    texts.set(text, texts.get(text) === true || isName(message, text, index));
  const paths = [...texts]
    .map(([text, named]) => ({ steps: stepsOf(text), named }))
    .filter(({ steps, named }) => steps.length > 1 || (steps.length === 1 && named))
    .map(({ steps }) => steps);
  const known = paths.map((path) => path.slice(0, depthIn(file, path))).toSorted((a, b) => b.length - a.length)[0];
  if (known !== undefined && known.length > 0) return known;
  for (const [name, ...further] of paths) {
    const alone = further.length === 0 ? onlyMember(file, String(name)) : undefined;
    if (alone !== undefined) return alone;
  }
  // A missing field is recognised only by an underscore in its name: "Invalid parameters" names no field.
  return paths.find(([first]) => String(first).includes('_'))?.slice(0, 1);
}

/** True if a word is a field name rather than an ordinary word: it has an underscore, is in quotes, or is the first word. */
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

/** Counts the steps of a path that exist in the request. */
function depthIn({ root }: RequestFile, path: JsonPath): number {
  const missing = path.findIndex((_step, index) => findNode(root, path.slice(0, index + 1)) === undefined);
  return missing < 0 ? path.length : missing;
}

/** Returns the path of the only member with this name; undefined if there are several, or none. */
function onlyMember({ root }: RequestFile, name: string): JsonPath | undefined {
  const member = root && membersByName(root).get(name);
  return root && member && pathTo(root, member);
}

/** Returns all members of a request by name; undefined for several with the same name. Remembered, because complaints have many words. */
const membersByName = rememberPerObject((root: JsonNode): ReadonlyMap<string, JsonNode | undefined> => {
  const members = new Map<string, JsonNode | undefined>();
  const addFrom = ({ children }: JsonNode): void => {
    for (const child of children) {
      if (child.key) members.set(child.key.name, members.has(child.key.name) ? undefined : child);
      addFrom(child);
    }
  };
  addFrom(root);
  return members;
});

/** Returns the path of a value within another. */
function pathTo({ children }: JsonNode, value: JsonNode): JsonPath {
  const index = children.findIndex(({ offset, length }) => offset <= value.offset && value.offset < offset + length);
  const child = children[index];
  if (!child) return [];
  const step = child.key?.name ?? index;
  return child === value ? [step] : [step, ...pathTo(child, value)];
}
