import { isArray, isJsonObject, type JsonObject } from '../../json/json.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import type { FieldFacts, KnownService } from './knownService.ts';

/** A value that a known service rejects. */
export interface Violation {
  readonly kind: 'range' | 'value' | 'several' | 'code' | 'length' | 'called';
  readonly path: JsonPath;
  readonly value: unknown;
  readonly facts: FieldFacts;
}

/** Facts by path, as a tree in the shape of the request. */
interface FactNode {
  facts: FieldFacts | undefined;
  readonly members: Map<string, FactNode>;
  element: FactNode | undefined;
}

const trees = new WeakMap<KnownService, FactNode>();
const found = new WeakMap<JsonObject, { readonly service: KnownService; readonly violations: readonly Violation[] }>();

/** The values of a request that a service rejects, in request order. Cached, because several rules use them. */
export function findViolations(body: JsonObject, service: KnownService): readonly Violation[] {
  const known = found.get(body);
  if (known?.service === service) return known.violations;
  const violations: Violation[] = [];
  collect(body, treeOf(service), [], violations);
  found.set(body, { service, violations });
  return violations;
}

function treeOf(service: KnownService): FactNode {
  const known = trees.get(service);
  if (known) return known;
  const root = emptyNode();
  for (const [path, facts] of service.fields) {
    let node = root;
    for (const segment of path.split('.')) {
      const next = (segment === '*' ? node.element : node.members.get(segment)) ?? emptyNode();
      if (segment === '*') node.element = next;
      else node.members.set(segment, next);
      node = next;
    }
    node.facts = facts;
  }
  trees.set(service, root);
  return root;
}

function emptyNode(): FactNode {
  return { facts: undefined, members: new Map(), element: undefined };
}

function collect(value: unknown, { facts, members, element }: FactNode, path: JsonPath, list: Violation[]): void {
  const kind = facts && violationOf(value, facts);
  if (facts && kind) list.push({ kind, path, value, facts });
  if (isArray(value)) {
    if (element) for (const [index, each] of value.entries()) collectElement(each, element, path, index, list);
  } else if (isJsonObject(value)) {
    for (const [name, node] of members) {
      if (Object.hasOwn(value, name)) collect(value[name], node, [...path, name], list);
    }
  }
}

/** Builds no path for valid strings: a list may have ten thousand, nearly all valid. */
function collectElement(value: unknown, node: FactNode, path: JsonPath, index: number, list: Violation[]): void {
  if (typeof value === 'string' && (!node.facts || violationOf(value, node.facts) === undefined)) return;
  collect(value, node, [...path, index], list);
}

function violationOf(value: unknown, facts: FieldFacts): Violation['kind'] | undefined {
  if (typeof value === 'number') {
    if (facts.isWhole === true && !Number.isInteger(value)) return undefined;
    return value < (facts.least ?? -Infinity) || value > (facts.most ?? Infinity) ? 'range' : undefined;
  }
  if (typeof value === 'string') {
    if (facts.single !== undefined && severalIn(value, facts).length > 1) return 'several';
    if (facts.values && !facts.values.includes(value)) return 'value';
    if (facts.codes && !facts.codes.includes(value)) return 'code';
    return facts.isCalled === true ? 'called' : undefined;
  }
  if (facts.mostCharacters === undefined || !isJsonObject(value)) return undefined;
  return JSON.stringify(value).length > facts.mostCharacters ? 'length' : undefined;
}

const separators = { code: /[,;|\s]+/u, name: /[,;|\n]/u, term: /[,;|\n]/u } as const;

/** The entries in a string that should have a single one; the string itself when there is nothing to split. */
export function severalIn(text: string, { single, codes }: FieldFacts): readonly string[] {
  if (single === undefined || !separators[single].test(text.trim())) return [text];
  const parts = text
    .split(separators[single])
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (single === 'term') return /[;|\n]/u.test(text) || parts.length > 2 ? parts : [text];
  // A name such as "Haitian Creole" is a single entry.
  const areCodes = codes === undefined || /[,;|]/u.test(text) || parts.every((part) => codes.includes(part));
  return areCodes ? parts : [text];
}
