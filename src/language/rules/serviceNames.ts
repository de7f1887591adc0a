import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject, type JsonValue, type JsonPath } from '../../base/json/json.ts';
import type { Change, Fix, Hit, Rule, RuleContext } from '../request/finding.ts';
import type { KnownService, RenamedField, RenamedKind, Setting } from '../../known/knownService.ts';
import { findServiceKnowledge, type ServiceKnowledge } from '../../known/serviceKnowledge.ts';
import { rememberPerObject } from '../../base/rememberPerObject.ts';
import { settingsOfRenamed } from '../request/renamedSettings.ts';
import { requestField } from '../request/schemaFields.ts';
import { isExact, maxFieldLength, memberOf, snakeCase, findValue } from '../request/requestFields.ts';
import { namePlace } from '../request/requestFile.ts';
import { makeSettingChanges } from '../request/settingChanges.ts';
import { findUnknownFields } from '../request/unknownFields.ts';

const legacyName: Rule = {
  code: 'service/legacy-name',
  severity: 'warning',
  source: 'service',
  explain: () => t('A name of earlier versions, which the service ignores, refuses or has deprecated.'),
  check: ({ body }, context) => aboutNames(body, context, ['legacy', 'deprecated']),
};

const foreignName: Rule = {
  code: 'service/foreign-name',
  severity: 'warning',
  source: 'service',
  explain: () => t('A name that another interface uses for the same setting, or that belongs inside another object.'),
  check: ({ body }, context) => aboutNames(body, context, ['foreign', 'upload']),
};

const liveOnly: Rule = {
  code: 'service/live-only',
  severity: 'warning',
  source: 'service',
  explain: () => t("A setting for live sessions. Requests for files don't have it."),
  check: ({ body }, context) => aboutNames(body, context, ['live']),
};

export const serviceNameRules: readonly Rule[] = [legacyName, foreignName, liveOnly];

/** Returns the name of the known service in messages, which say if it may not be the one in use. */
export function nameService(knowledge = findServiceKnowledge()): string {
  const name = knowledge?.service.name ?? '';
  return knowledge?.isApplied === true ? name : t('{0} (a public service)', name);
}

/** Lowers a finding to information, with fixes only offered individually, if the service in use may accept the value. */
export function describeKnown(hit: Hit, { isApplied }: ServiceKnowledge): Hit {
  if (isApplied) return hit;
  return {
    ...hit,
    severity: 'info',
    ...(hit.fixes && { fixes: hit.fixes.map((fix) => ({ ...fix, isChoice: true })) }),
  };
}

/** True if a service is known to reject, rename or deprecate a name outside the schema. */
export function isKnownName(path: JsonPath, knowledge: ServiceKnowledge | undefined): boolean {
  return knowledge !== undefined && namesOf(knowledge.service)(path).field !== undefined;
}

/** Returns a function that finds a name of a service. Remembered, because several rules look up each of thousands of names. */
const namesOf = rememberPerObject((service: KnownService) =>
  rememberPerObject((path: JsonPath) => ({ field: findUnknownName(path, service) })),
);

/** Finds the entry of a service for a name outside the schema: by path, as a decorated switch, or as a top-level name. */
function findUnknownName(path: JsonPath, service: KnownService): RenamedField | undefined {
  const name = String(path.at(-1));
  if (name.length > maxFieldLength) return undefined;
  const listed = findName(dottedPath(path), service);
  if (listed || path.length > 2) return listed;
  const decorated = findDecoratedSwitch(name);
  if (decorated || path.length === 1) return decorated;
  const top = findName(name, service);
  // A wrapper of settings is only valid at the top level.
  return top?.isWrapper === true ? undefined : top;
}

/** Finds the switch in a name with added words, such as `enable_subtitles` and `subtitles_enabled`. */
function findDecoratedSwitch(name: string): RenamedField | undefined {
  const plain = snakeCase(name);
  const bare = plain.replace(
    /^(?:(?:enable|toggle|use|with|do|is|has|want|include)_)|_(?:enabled|active|on|flag)$/u,
    '',
  );
  if (bare === plain || !requestField.members?.get(bare)?.types.includes('boolean')) return undefined;
  return { kind: 'foreign', successor: bare };
}

function dottedPath(path: JsonPath): string {
  return path.map((segment) => (typeof segment === 'number' ? '*' : segment)).join('.');
}

/** Maximum number of names in a dotted path that is compared: the longest known one is that of a term's member. */
const maxSteps = 4;

/** Finds the entry of a service for a dotted path, as written or in snake case. */
function findName(dotted: string, { renamed }: KnownService): RenamedField | undefined {
  const exact = renamed.get(dotted);
  if (exact) return exact;
  const names = dotted.split('.', maxSteps + 1);
  const similar = names.length > maxSteps ? undefined : renamed.get(names.map(snakeCase).join('.'));
  // A deprecated name is only accepted in its exact spelling.
  return similar?.kind === 'deprecated' ? { ...similar, kind: 'legacy' } : similar;
}

function* aboutNames(
  body: JsonObject,
  { knowledge }: RuleContext,
  kinds: readonly RenamedKind[],
): Generator<Hit, void, undefined> {
  if (!knowledge) return;
  for (const { path, value, field } of findRenamed(body, knowledge.service)) {
    if (kinds.includes(field.kind)) yield describeKnown(aboutName(body, path, value, field, knowledge), knowledge);
  }
}

interface RenamedMember {
  readonly path: JsonPath;
  readonly value: JsonValue;
  readonly field: RenamedField;
}

const found = new WeakMap<JsonObject, { readonly service: KnownService; readonly members: readonly RenamedMember[] }>();

/** Returns the members of a request whose names a service rejects or has deprecated. Cached, because several rules use them. */
function findRenamed(body: JsonObject, service: KnownService): readonly RenamedMember[] {
  const known = found.get(body);
  if (known?.service === service) return known.members;
  const members: RenamedMember[] = [];
  // Deprecated names that the schema still describes.
  for (const name of describedOf(service)) {
    const value = memberOf(body, name);
    const field = value === undefined ? undefined : service.renamed.get(name);
    if (value !== undefined && field) members.push({ path: [name], value, field });
  }
  for (const { path, value } of findUnknownFields(body)) {
    const { field } = namesOf(service)(path);
    if (field) members.push({ path, value, field });
  }
  found.set(body, { service, members });
  return members;
}

/** Returns the names that a service has renamed and the schema still describes. */
const describedOf = rememberPerObject(({ renamed }: KnownService): readonly string[] =>
  [...renamed.keys()].filter((name) => requestField.members?.has(name)),
);

function aboutName(
  body: JsonObject,
  path: JsonPath,
  value: JsonValue,
  field: RenamedField,
  knowledge: ServiceKnowledge,
): Hit {
  const name = String(path.at(-1));
  return {
    message: nameMessage(name, field, nameService(knowledge)),
    place: namePlace(...path),
    ...(field.kind === 'deprecated' && { severity: 'info' as const }),
    fixes: nameFixes(body, path, value, field),
  };
}

function nameMessage(name: string, { kind, successor }: RenamedField, who: string): string {
  switch (kind) {
    case 'deprecated':
      return successor === undefined
        ? t('{0} calls "{1}" deprecated.', who, name)
        : t('{0} calls "{1}" deprecated. Use {2}.', who, name, successor);
    case 'legacy':
      return successor === undefined
        ? t('{0} ignores or refuses "{1}".', who, name)
        : t('{0} ignores or refuses "{1}". Use {2}.', who, name, successor);
    case 'foreign':
      return successor === undefined
        ? t('{0} doesn\'t know "{1}".', who, name)
        : t('{0} has no "{1}" here. Use {2}.', who, name, successor);
    case 'live':
      return t('{0} accepts "{1}" for live sessions only.', who, name);
    case 'upload':
      return t('"{0}" comes from the answer to an upload. {1} needs only its audio_url.', name, who);
  }
}

function nameFixes(body: JsonObject, path: JsonPath, value: JsonValue, field: RenamedField): readonly Fix[] {
  const name = String(path.at(-1));
  const removal: Fix = { title: t('Remove {0}', name), changes: [{ type: 'remove', path }], safe: false };
  const settings = settingsOfRenamed(path, value, field);
  // The user must decide about settings that are too many to be moved.
  if (settings === undefined) return [{ ...removal, isChoice: true }];
  if (settings.length === 0) return [removal];
  const changes =
    path.length > 2 ? entryChanges(body, path, value, settings) : makeSettingChanges(body, path, settings);
  if (!changes || changes.every(({ type }) => type === 'remove')) return [removal];
  // Offer only a rename if a rewrite would change the value.
  if (!isExact(value) && changes.some(({ type }) => type !== 'rename')) return [];
  const successor = field.successor ?? someNames(settings);
  const addOn = turnedOn(body, field, settings);
  return addOn === undefined
    ? [{ title: t('Change to {0}', successor), changes, safe: false }]
    : [{ title: t('Change to {0} and turn on {1}', successor, addOn), changes, safe: false, isChoice: true }];
}

/** Switches that a fix turns on with their settings, because they only serve those. Others may be billed. */
const turnedOnWithSettings: ReadonlySet<string> = new Set([
  'callback',
  'custom_spelling',
  'custom_vocabulary',
  'diarization',
  'subtitles',
]);

/** Returns the add-on that a fix would turn on because of its settings, which may be billed. */
function turnedOn(body: JsonObject, { isWrapper }: RenamedField, settings: readonly Setting[]): string | undefined {
  if (isWrapper === true || settings.every(([to]) => to.length === 1)) return undefined;
  const names = settings.flatMap(([to, fitted]) => (fitted === true && to.length === 1 ? [String(to[0])] : []));
  return names.find((name) => !turnedOnWithSettings.has(name) && memberOf(body, name) !== true);
}

/** Creates the changes for settings within an element of a list: they become members of the element; existing members stay. */
function entryChanges(
  body: JsonObject,
  path: JsonPath,
  value: JsonValue,
  settings: readonly Setting[],
): readonly Change[] {
  const entry = findValue(body, path.slice(0, -1));
  return settings.map(([[to], fitted]): Change => {
    const name = String(to);
    if (entry !== undefined && isJsonObject(entry) && Object.hasOwn(entry, name)) return { type: 'remove', path };
    if (fitted === value) return { type: 'rename', path, name };
    return { type: 'replaceMember', path, members: { [name]: fitted } };
  });
}

/** Maximum number of settings in a title. */
const titleLimit = 3;

function someNames(settings: readonly Setting[]): string {
  const names = settings.slice(0, titleLimit).map(([to]) => to.join('.'));
  return [...names, ...(settings.length > titleLimit ? ['…'] : [])].join(', ');
}
