import { t } from '@vscode/l10n';
import type { JsonObject, JsonValue } from '../../json/json.ts';
import type { Fix, Hit, Rule, RuleContext } from '../finding.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import type { KnownService, RenamedField, RenamedKind } from '../known/knownService.ts';
import type { ServiceKnowledge } from '../known/serviceKnowledge.ts';
import { objectIn } from '../requestFields.ts';
import { namePlace } from '../requestFile.ts';
import { makeSettingChanges } from '../settingChanges.ts';

const legacyName: Rule = {
  code: 'service/legacy-name',
  severity: 'warning',
  explain: () => t('A name that the service does not take any more, or will not for long.'),
  check: ({ body }, context) => aboutNames(body, context, ['legacy', 'deprecated']),
};

const foreignName: Rule = {
  code: 'service/foreign-name',
  severity: 'warning',
  explain: () => t('A name that another interface has for the same, or that belongs into another object.'),
  check: ({ body }, context) => aboutNames(body, context, ['foreign', 'upload']),
};

const liveOnly: Rule = {
  code: 'service/live-only',
  severity: 'warning',
  explain: () => t('A setting of live sessions. A request for a file does not have it.'),
  check: ({ body }, context) => aboutNames(body, context, ['live']),
};

export const serviceNameRules: readonly Rule[] = [legacyName, foreignName, liveOnly];

/** How messages name the service. */
export function nameService({ service, isApplied }: ServiceKnowledge): string {
  return isApplied ? service.name : t('One public service');
}

/** When the service in use may accept the value, the finding is information and its fix only offered individually. */
export function tellKnown(hit: Hit, { isApplied }: ServiceKnowledge): Hit {
  if (isApplied) return hit;
  return {
    ...hit,
    severity: 'info',
    ...(hit.fixes && { fixes: hit.fixes.map((fix) => ({ ...fix, isChoice: true })) }),
  };
}

/** Whether a service lists a name outside the schema, as legacy or from another service. */
export function isKnownName(path: JsonPath, knowledge: ServiceKnowledge | undefined): boolean {
  return knowledge !== undefined && path.length <= 2 && knowledge.service.renamed.has(path.join('.'));
}

function* aboutNames(
  body: JsonObject,
  { knowledge }: RuleContext,
  kinds: readonly RenamedKind[],
): Generator<Hit, void, undefined> {
  if (!knowledge) return;
  for (const { path, value, field } of findRenamed(body, knowledge.service)) {
    if (kinds.includes(field.kind)) yield tellKnown(aboutName(body, path, value, field, knowledge), knowledge);
  }
}

interface RenamedMember {
  readonly path: JsonPath;
  readonly value: JsonValue;
  readonly field: RenamedField;
}

function findRenamed(body: JsonObject, { renamed }: KnownService): readonly RenamedMember[] {
  const within = (object: JsonObject, outer: readonly string[]): readonly RenamedMember[] =>
    Object.entries(object).flatMap(([name, value]) => {
      const path = [...outer, name];
      const field = renamed.get(path.join('.'));
      return field ? [{ path, value, field }] : [];
    });
  const containers = new Set([...renamed.keys()].flatMap((path) => path.split('.').slice(0, -1)));
  return [
    ...within(body, []),
    ...[...containers].flatMap((name) => {
      const config = objectIn(body, name);
      return config ? within(config, [name]) : [];
    }),
  ];
}

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
        ? t('{0} does not take "{1}" any more.', who, name)
        : t('{0} does not take "{1}" any more. Use {2}.', who, name, successor);
    case 'foreign':
      return successor === undefined
        ? t('{0} has no "{1}".', who, name)
        : t('{0} has no "{1}" here. Use {2}.', who, name, successor);
    case 'live':
      return t('{0} takes "{1}" for live sessions only.', who, name);
    case 'upload':
      return t('"{0}" comes from the answer to an upload. {1} wants only audio_url of it.', name, who);
  }
}

function nameFixes(
  body: JsonObject,
  path: JsonPath,
  value: JsonValue,
  { successor, convert }: RenamedField,
): readonly Fix[] {
  const name = String(path.at(-1));
  const removal: Fix = { title: t('Remove {0}', name), changes: [{ type: 'remove', path }], safe: false };
  const settings = value === null ? [] : convert?.(value);
  const changes = settings && settings.length > 0 ? makeSettingChanges(body, path, settings) : undefined;
  if (!changes) return [removal];
  const isOnlyRemoved = changes.every(({ type }) => type === 'remove');
  if (isOnlyRemoved) return [removal];
  return [
    {
      title: t('Change to {0}', successor ?? settings?.map(([to]) => to.join('.')).join(', ') ?? ''),
      changes,
      safe: false,
    },
  ];
}
