import { t } from '@vscode/l10n';
import { attempt, flag, optional, record, text, Undecodable, type Decoder } from '../../../base/decode/decoder.ts';
import { isJsonObject, type JsonObject } from '../../../base/json/json.ts';
import { jobStatuses } from '../../../jobs/common/job.ts';
import { oneLine } from '../../../base/outsideText.ts';
import { decodedSetting, listSetting, refinedSetting, type SettingShape } from '../../../base/decode/settingShape.ts';
import { noFilter, type FilterTime, type JobFilter } from '../../../jobs/common/jobFilter.ts';
import {
  decodeStoredFilter,
  encodeMetadata,
  encodeStoredFilter,
  maxLastHours,
} from '../../../jobs/common/storedFilter.ts';

/** A filter with a name. */
export interface SavedView {
  /** Unique, one line. */
  readonly name: string;
  readonly filter: JobFilter;
  /** The view's icon shows its number of jobs. */
  readonly isBadge: boolean;
}

/** In characters. */
export const maxViewNameLength = 60;

function timeSchema(
  type: FilterTime['type'],
  properties: JsonObject = {},
  required: readonly string[] = [],
): JsonObject {
  return { required: ['type', ...required], properties: { type: { const: type }, ...properties } };
}

const filterSchema = {
  type: 'object',
  additionalProperties: false,
  properties: {
    statuses: { type: 'array', items: { type: 'string', enum: jobStatuses } },
    time: {
      type: 'object',
      oneOf: [
        timeSchema('any'),
        timeSchema('today', { utc: { type: 'boolean' } }, ['utc']),
        timeSchema('yesterday'),
        timeSchema('day', { day: { type: 'string' } }, ['day']),
        timeSchema('last', { hours: { type: 'integer', minimum: 1, maximum: maxLastHours } }, ['hours']),
        timeSchema('range', { after: { type: 'string' }, before: { type: 'string' } }),
      ],
    },
    metadata: { type: ['object', 'string'] },
  },
} as const;

const decodeFilter: Decoder<JobFilter> = (value, path = '') => {
  if (!isJsonObject(value)) throw new Undecodable(`${path}: expected an object`);
  const { statuses, time, metadata } = { ...noFilter, ...value };
  const filter = decodeStoredFilter({ ...encodeStoredFilter(noFilter), statuses, time, metadata });
  if (filter instanceof Undecodable) throw filter;
  return filter;
};

const fields = record({ name: text, filter: decodeFilter, badge: optional(flag) });

const decodeView: Decoder<SavedView> = (value, path = '') => {
  const { name: written, filter, badge } = fields(value, path);
  const name = viewName(written);
  if (name === undefined) throw new Undecodable(`${path}.name: expected a short name`);
  return { name, filter, isBadge: badge === true };
};

/** Returns the shape of the setting `views`. Names are unique, and at most one view is the badge: the first counts. */
export function savedViewsSetting(): SettingShape<readonly SavedView[]> {
  const schema = {
    type: 'object',
    required: ['name', 'filter'],
    additionalProperties: false,
    properties: {
      name: { type: 'string', minLength: 1, maxLength: maxViewNameLength },
      filter: filterSchema,
      badge: { type: 'boolean', default: false },
    },
  };
  const view = decodedSetting(schema, decodeView, () =>
    t(
      'It must have a name of at most {0} characters, and a filter with "statuses", "time" and "metadata".',
      maxViewNameLength,
    ),
  );
  return refinedSetting(listSetting(view), (views) => {
    const seen = new Set<string>();
    let hasBadge = false;
    const value: SavedView[] = [];
    const problems: string[] = [];
    for (const each of views) {
      if (seen.has(each.name)) {
        problems.push(t('Several views are named "{0}"; the first one is used.', each.name));
        continue;
      }
      seen.add(each.name);
      if (each.isBadge && hasBadge) problems.push(t('Only one view can be the badge; the first one is used.'));
      value.push({ ...each, isBadge: each.isBadge && !hasBadge });
      hasBadge ||= each.isBadge;
    }
    return { value, problems };
  });
}

/** Normalizes a name; undefined if it is empty or too long. */
export function viewName(written: string): string | undefined {
  const name = oneLine(written.trim(), maxViewNameLength + 1);
  return name === '' || name.length > maxViewNameLength ? undefined : name;
}

/** Returns the setting's entry for a view; parts of the filter without a condition are omitted. */
export function writtenView({ name, filter, isBadge }: SavedView): object {
  const { statuses, time, metadata } = filter;
  return {
    name,
    filter: {
      ...(statuses.length > 0 && { statuses }),
      ...(time.type !== 'any' && { time }),
      ...(Object.keys(metadata).length > 0 && { metadata: encodeMetadata(metadata) }),
    },
    ...(isBadge && { badge: true }),
  };
}

/** Returns the name of a setting's entry as written; the entry may be any value. */
export function writtenName(entry: unknown): string | undefined {
  const read = attempt(record({ name: text }), entry);
  return read instanceof Undecodable ? undefined : viewName(read.name);
}
