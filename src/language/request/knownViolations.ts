import { isArray, isJsonObject, type JsonObject, type JsonPath } from '../../base/json/json.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { isSwitchedOff, memberOf, splitText } from './requestFields.ts';
import type { FieldFacts, KnownService } from '../../known/knownService.ts';

/** A value that a known service rejects. */
export interface Violation {
  readonly kind: 'range' | 'value' | 'several' | 'code' | 'length' | 'called';
  readonly path: JsonPath;
  readonly value: unknown;
  readonly facts: FieldFacts;
}

/** Facts as a tree with the structure of the request. */
interface FactNode {
  facts: FieldFacts | undefined;
  /** The same facts in a uniform object shape, which is fast to read. */
  limits: Limits | undefined;
  readonly members: { readonly name: string; readonly node: FactNode }[];
  element: FactNode | undefined;
}

interface Limits {
  readonly min: number;
  readonly max: number;
  readonly isWhole: boolean;
  readonly values: ReadonlySet<string> | undefined;
  readonly codes: ReadonlySet<string> | undefined;
  /** Separator of the entries in a string that should have a single entry. */
  readonly separator: RegExp | undefined;
  readonly isCalled: boolean;
  readonly maxCharacters: number;
}

const found = new WeakMap<JsonObject, { readonly service: KnownService; readonly violations: readonly Violation[] }>();

/** Maximum number of violations: nobody reads the findings about more. */
const maxViolations = 20_000;

/** Returns the first values of a request that a service rejects, in request order, without the settings of what is off. Cached, because several rules use them. */
export function findViolations(body: JsonObject, service: KnownService): readonly Violation[] {
  const known = found.get(body);
  if (known?.service === service) return known.violations;
  const violations: Violation[] = [];
  collect(body, treeOf(service), [], violations);
  found.set(body, { service, violations });
  return violations;
}

const treeOf = rememberPerObject(({ fields }: KnownService): FactNode => {
  const root = emptyNode();
  for (const [path, facts] of fields) {
    let node = root;
    for (const segment of path.split('.')) node = childOf(node, segment);
    node.facts = facts;
    node.limits = limitsOf(facts);
  }
  return root;
});

function childOf(node: FactNode, segment: string): FactNode {
  if (segment === '*') return (node.element ??= emptyNode());
  const known = node.members.find(({ name }) => name === segment)?.node;
  if (known) return known;
  const child = emptyNode();
  node.members.push({ name: segment, node: child });
  return child;
}

function emptyNode(): FactNode {
  return { facts: undefined, limits: undefined, members: [], element: undefined };
}

function limitsOf(facts: FieldFacts): Limits {
  return {
    min: facts.min ?? -Infinity,
    max: facts.max ?? Infinity,
    isWhole: facts.isWhole === true,
    values: facts.values && new Set(facts.values),
    codes: facts.codes && new Set(facts.codes),
    separator: facts.single && separators[facts.single],
    isCalled: facts.isCalled === true,
    maxCharacters: facts.maxCharacters ?? Infinity,
  };
}

/** True if a value certainly has no violation. Fast, because a vocabulary may have ten thousand entries, nearly all valid. */
function isValid(value: unknown, node: FactNode): boolean {
  const { limits } = node;
  if (limits !== undefined && violationOf(value, node, limits) !== undefined) return false;
  if (typeof value !== 'object' || value === null) return true;
  if (isArray(value)) return node.element === undefined || areValid(value, node.element);
  if (!isJsonObject(value)) return true;
  const { members } = node;
  for (const { name, node: child } of members) {
    // No fact has the name of an inherited member of objects, such as `toString`.
    const member = value[name];
    if (member !== undefined && !isValid(member, child)) return false;
  }
  return true;
}

function areValid(values: readonly unknown[], node: FactNode): boolean {
  for (const each of values) if (!isValid(each, node)) return false;
  return true;
}

/** @param path of the value; modified during the call and restored at its end */
function collect(value: unknown, node: FactNode, path: (string | number)[], list: Violation[]): void {
  const { facts, limits, members, element } = node;
  const kind = limits && violationOf(value, node, limits);
  if (facts && kind) list.push({ kind, path: [...path], value, facts });
  if (typeof value !== 'object' || value === null) return;
  if (isArray(value)) {
    if (!element) return;
    for (let index = 0; index < value.length && list.length < maxViolations; index++) {
      const each: unknown = value[index];
      if (isValid(each, element)) continue;
      path.push(index);
      collect(each, element, path, list);
      path.pop();
    }
  } else if (members.length > 0 && isJsonObject(value)) {
    for (const { name, node: child } of members) {
      const member = memberOf(value, name);
      if (member === undefined || (path.length === 0 && isSwitchedOff(value, [name]))) continue;
      path.push(name);
      collect(member, child, path, list);
      path.pop();
    }
  }
}

function violationOf(value: unknown, { facts }: FactNode, limits: Limits): Violation['kind'] | undefined {
  if (typeof value === 'string') {
    const { values, codes, separator } = limits;
    // A listed value is a single entry.
    if (values?.has(value) === true || codes?.has(value) === true) return undefined;
    if (separator?.test(value) === true && facts && severalIn(value, facts).length > 1) return 'several';
    if (values) return 'value';
    if (codes) return 'code';
    return limits.isCalled ? 'called' : undefined;
  }
  if (typeof value === 'number') {
    if (limits.isWhole && !Number.isInteger(value)) return undefined;
    return value < limits.min || value > limits.max ? 'range' : undefined;
  }
  if (limits.maxCharacters === Infinity || !isJsonObject(value)) return undefined;
  return JSON.stringify(value).length > limits.maxCharacters ? 'length' : undefined;
}

/** Separators between entries. Codes may also be separated by signs and words for "and". */
const separators = {
  code: /(?:[,;|/&+\s]|(?<=\s)(?:and|et|und)(?=\s))+/iu,
  name: /[,;|\n]/u,
  term: /[,;|\n]/u,
} as const;

/** Returns the entries in a string that should have a single entry; only the string if it cannot be split. */
export function severalIn(text: string, { single, codes }: FieldFacts): readonly string[] {
  if (single === undefined || !separators[single].test(text.trim())) return [text];
  const parts = splitText(text, separators[single]);
  if (single === 'term') return /[;|\n]/u.test(text) || parts.length > 2 ? parts : [text];
  // A name such as "Haitian Creole" is a single entry.
  const areCodes =
    codes === undefined || /[,;|/&+]|\s(?:and|et|und)\s/iu.test(text) || parts.every((part) => codes.includes(part));
  return areCodes ? parts : [text];
}
