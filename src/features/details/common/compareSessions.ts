import { t } from '@vscode/l10n';
import { canonicalizeJson } from '../../../base/json/formatJson.ts';
import { type Job, readJobItem } from '../../../jobs/common/job.ts';
import { requestParamsShape, wholeItemShape } from '../../../jobs/common/decodeJob.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { omitMember, readMembers } from '../../../base/json/jsonText.ts';
import { groupEchoedRequest } from './echoedRequest.ts';
import type { ComparedSession, ComparisonGroup, ComparisonRow, ComparisonView } from './comparison.ts';
import {
  formatsFor,
  missing,
  wordsValue,
  buildMoment,
  buildFieldRow,
  memberText,
  textAt,
  valueAt,
  type ItemObject,
} from './buildFieldRow.ts';
import type { ViewRow, ViewValue } from './jobView.ts';
import { buildLeftoverRows, describeErrorWithLabel } from './overview.ts';
import { processingMs } from '../../../jobs/common/processingMs.ts';
import { describeFigures, readResult } from '../../../jobs/common/result/jobResult.ts';
import {
  listCallbackParameters,
  listMessageParameters,
  listParameterGroups,
  type Parameter,
  type ParameterGroup,
} from './parameters.ts';
import { describeStatus } from '../../../jobs/common/jobRow.ts';
import { formatDuration } from '../../../base/duration.ts';
import { type Locale, type ViewFacts } from '../../../base/format.ts';

/** A job with its label in the tree. */
export interface TitledJob {
  readonly job: Job;
  readonly title: string;
}

/**
 * Compares live sessions: times, metadata and parameters (contract 2.3), unknown ones included. The summary counts parameters. Values are equal when they are equal as JSON; absent and
 * null are equal.
 * @param sessions at least two.
 */
export function compareSessions(sessions: readonly TitledJob[], locale: Locale): ComparisonView {
  const show = formatsFor(locale);
  const params = sessions.map(({ job }) => paramsOf(job));
  const known: readonly ParameterGroup[] = [
    ...listParameterGroups(show),
    { id: 'messages', title: t('Messages'), parameters: listMessageParameters('messages_config', show) },
    {
      id: 'callback',
      title: t('Callback'),
      parameters: [...listCallbackParameters(show), ...listMessageParameters('callback_config', show)],
    },
  ];
  const parameters = [
    ...known.map(({ id, title, parameters }) => ({
      id,
      title,
      rows: parameters.map((parameter) => knownRow(parameter, params)),
    })),
    {
      id: 'other',
      title: t('Other fields'),
      rows: mergeRows(manyAsOne('request_params', params, (text) => buildLeftoverRows(text, requestParamsShape, ''))),
    },
  ].filter(({ rows }) => rows.length > 0);
  const rows = parameters.flatMap((group) => group.rows);
  const items = sessions.map(({ job }): ItemObject => ({ value: readJobItem(job), text: job.raw }));
  const others = [
    { id: 'times', title: t('Times'), rows: timeRows(sessions, locale) },
    metadataGroup('custom_metadata', t('Custom metadata'), items),
    metadataGroup('post_session_metadata', t('Post-session metadata'), items),
  ].filter((group) => group.rows.length > 0);
  return {
    title: t('{0} sessions compared', sessions.length),
    summary: summary(differing(rows), rows.length),
    note: undefined,
    rowNames: { one: t('Parameter'), all: t('Parameters') },
    sessions: sessions.map(({ job, title }) => comparedSession(job, title, locale)),
    groups: [...others, ...parameters],
  };
}

/**
 * Compares the data that the service sent for jobs that are not live: plain fields (contract 2.2), times, metadata, and the settings if it
 * echoes the requests of all of them, which the contract does not show. Equality is that of {@link compareSessions}.
 * @param jobs at least two.
 */
export function compareJobFacts(
  jobs: readonly TitledJob[],
  facts: Pick<ViewFacts, 'errorLabels' | 'locale'>,
): ComparisonView {
  const { locale } = facts;
  const items = jobs.map(({ job }): ItemObject => ({ value: readJobItem(job), text: job.raw }));
  const echoes = items.flatMap(({ value, text }): readonly ItemObject[] => {
    const params = valueAt(value, 'request_params');
    return isJsonObject(params) ? [{ value: params, text: textAt(text, 'request_params') }] : [];
  });
  const other = manyAsOne('items[]', items, (text) => {
    const hasSettings = textAt(text, 'request_params').startsWith('{');
    return buildLeftoverRows(hasSettings ? omitMember(text, 'request_params').left : text, comparedShape, '');
  });
  const groups: readonly ComparisonGroup[] = [
    { id: 'overview', title: t('Overview'), rows: overviewRows(items, facts) },
    { id: 'times', title: t('Times'), rows: timeRows(jobs, locale) },
    metadataGroup('custom_metadata', t('Custom metadata'), items),
    metadataGroup('post_session_metadata', t('Post-session metadata'), items),
    ...(echoes.length === jobs.length ? settingGroups(echoes) : []),
    { id: 'other', title: t('Other fields'), rows: mergeRows(other) },
  ].filter(({ rows }) => rows.length > 0);
  const rows = groups.flatMap((group) => group.rows);
  return {
    title: t('{0} jobs compared', jobs.length),
    summary: fieldSummary(differing(rows), rows.length),
    note: notes(settingsNote(echoes.length, jobs.length), resultsNote(jobs)),
    rowNames: { one: t('Field'), all: t('Fields') },
    sessions: jobs.map(({ job, title }) => comparedSession(job, title, locale)),
    groups,
  };
}

/** The fields that have rows of their own, or always differ. All others are compared among the other fields. */
const comparedShape = Object.fromEntries(
  (
    [
      'id',
      'request_id',
      'kind',
      'status',
      'error_code',
      'version',
      'created_at',
      'completed_at',
      'custom_metadata',
      'post_session_metadata',
      'request_params',
    ] as const
  ).map((field) => [field, wholeItemShape[field]]),
);

function fieldSummary(different: number, all: number): string {
  if (different === 0) return t('All {0} fields are identical.', all);
  return different === 1 ? t('1 of {0} fields differs.', all) : t('{0} of {1} fields differ.', different, all);
}

function settingsNote(echoes: number, jobs: number): string | undefined {
  if (echoes === jobs) return undefined;
  return echoes === 0
    ? t("Settings aren't compared, because the service doesn't send them with these jobs.")
    : t("Settings aren't compared, because the service sent them with only some of these jobs.");
}

/** Rows of the jobs view do not keep long parts of results, so identical fields do not mean that those parts are identical. */
function resultsNote(jobs: readonly TitledJob[]): string | undefined {
  return jobs.some(({ job }) => job.omitted !== undefined)
    ? t("Transcripts and other long results aren't compared.")
    : undefined;
}

function notes(...all: readonly (string | undefined)[]): string | undefined {
  const present = all.filter((each) => each !== undefined);
  return present.length === 0 ? undefined : present.join(' ');
}

function overviewRows(
  items: readonly ItemObject[],
  facts: Pick<ViewFacts, 'errorLabels' | 'locale'>,
): readonly ComparisonRow[] {
  const parameters: readonly Parameter[] = [
    {
      path: 'status',
      label: t('Status'),
      format: (value) => (typeof value === 'string' ? wordsValue(describeStatus(value).text) : undefined),
    },
    {
      path: 'error_code',
      label: t('Error code'),
      format: (value) => (typeof value === 'number' ? wordsValue(describeErrorWithLabel(value, facts)) : undefined),
    },
    { path: 'version', label: t('Version'), format: formatsFor(facts.locale).plainNumber },
  ];
  return parameters
    .filter(({ path }) => items.some(({ value }) => (value[path] ?? null) !== null))
    .map((parameter) => knownRow(parameter, items));
}

/** Keys of metadata that have rows of their own. Free-form objects may have any number; larger ones are compared as a whole. */
const maxKeys = 200;

function metadataGroup(field: string, title: string, items: readonly ItemObject[]): ComparisonGroup {
  const texts = items.map(({ text }) => textAt(text, field));
  const rowOf = (id: string, json: string): ViewRow => ({
    id,
    label: id,
    named: true,
    value: json === 'null' ? missing : { type: 'json', json },
    remark: undefined,
    action: undefined,
  });
  const members = texts.map((text) => (text.startsWith('{') ? readMembers(text) : undefined));
  const areSmall = texts.every((text, place) => text === 'null' || (members[place]?.length ?? Infinity) <= maxKeys);
  const rows = areSmall
    ? members.map((each) => (each ?? []).map(({ key, text }) => rowOf(key, text)))
    : texts.map((text) => [rowOf(field, text)]);
  return { id: field, title, rows: mergeRows(rows) };
}

/** Returns rows of objects, or a single row with the whole object if any has too many members to compare individually. */
function manyAsOne(
  id: string,
  objects: readonly ItemObject[],
  rowsOf: (text: string) => readonly ViewRow[],
): readonly (readonly ViewRow[])[] {
  const rows = objects.map(({ text }) => (readMembers(text).length > maxKeys ? undefined : rowsOf(text)));
  return rows.every((each) => each !== undefined)
    ? rows
    : objects.map(({ text }) => [
        { id, label: id, named: true, value: { type: 'json', json: text }, remark: undefined, action: undefined },
      ]);
}

function settingGroups(echoes: readonly ItemObject[]): readonly ComparisonGroup[] {
  const all = echoes.map(groupEchoedRequest);
  return (all[0] ?? []).map(({ id, title }, place) => ({
    id: `settings/${id}`,
    title,
    rows: mergeRows(all.map((groups) => groups[place]?.rows ?? [])),
  }));
}

function differing(rows: readonly ComparisonRow[]): number {
  return rows.filter(({ values }) => values.type === 'different').length;
}

/** Returns the rows of durations and measured values. The summary of sessions does not count them. */
function timeRows(sessions: readonly TitledJob[], locale: Locale): readonly ComparisonRow[] {
  const all = sessions.map(({ job }): readonly { readonly label: string; readonly text: string | undefined }[] => {
    const lasted = processingMs(job);
    const figures = readResult(readJobItem(job))?.figures;
    const unknown = { audioMs: undefined, billedMs: undefined, processingMs: undefined, channels: undefined };
    return [
      {
        label: job.kind === 'live' ? t('Session length') : t('Processing time'),
        text: lasted === undefined ? undefined : formatDuration(lasted, locale),
      },
      ...describeFigures(figures ?? unknown, locale),
    ];
  });
  return (all[0] ?? []).flatMap(({ label }, place) => {
    const texts = all.map((each) => each[place]?.text);
    if (texts.every((text) => text === undefined)) return [];
    const values = texts.map((text) => ({
      shown: text === undefined ? missing : wordsValue(text),
      identity: JSON.stringify(text ?? null),
    }));
    return [{ id: `times/${place}`, label, named: false, values: side(values) }];
  });
}

function paramsOf(job: Job): ItemObject {
  const value = valueAt(readJobItem(job), 'request_params');
  return isJsonObject(value) ? { value, text: textAt(job.raw, 'request_params') } : { value: {}, text: '{}' };
}

function comparedSession(job: Job, title: string, locale: Locale): ComparedSession {
  const created = job.createdAtMs === undefined ? undefined : buildMoment(job.createdAtMs, locale);
  return { id: job.id, title, status: describeStatus(job.status), created };
}

function summary(different: number, all: number): string {
  if (different === 0) return t('All {0} parameters are identical.', all);
  return different === 1 ? t('1 of {0} parameters differs.', all) : t('{0} of {1} parameters differ.', different, all);
}

function knownRow({ path, label, format }: Parameter, params: readonly ItemObject[]): ComparisonRow {
  const values = params.map((each) => ({
    shown: buildFieldRow(each, path, label, format).value,
    identity: identityOfJson(memberText(each, path)),
  }));
  return { id: path, label, named: false, values: side(values) };
}

/** Returns a row for each name that any job has, in order of first occurrence. */
function mergeRows(rows: readonly (readonly ViewRow[])[]): readonly ComparisonRow[] {
  const found = rows.map((each) => new Map(each.map((row) => [row.id, row])));
  const ids = new Set(found.flatMap((each) => [...each.keys()]));
  return [...ids].map((id) => {
    const values = found.map((each): ComparedValue => {
      const value = each.get(id)?.value ?? missing;
      return { shown: value, identity: identityOf(value) };
    });
    return { id, label: id, named: true, values: side(values) };
  });
}

/** Equal for values that are equal as JSON; absent and null are equal. */
function identityOf(value: ViewValue): string {
  switch (value.type) {
    case 'missing':
      return 'null';
    case 'switch':
      return String(value.on);
    case 'text':
      return JSON.stringify(value.text);
    case 'moment':
      return JSON.stringify(value.iso);
    case 'json':
      return identityOfJson(value.json);
  }
}

/** Maximum length, in characters, of JSON that is canonicalized. Longer values are equal if their texts are equal. */
const maxCanonical = 50_000;

function identityOfJson(json: string): string {
  return json.length > maxCanonical ? json : canonicalizeJson(json);
}

interface ComparedValue {
  readonly shown: ViewValue;
  readonly identity: string;
}

/** Returns the common value once, or all values, with those marked that differ from the majority. */
function side(values: readonly ComparedValue[]): ComparisonRow['values'] {
  const counts = new Map<string, number>();
  for (const { identity } of values) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  const [first] = values;
  if (first !== undefined && counts.size === 1) return { type: 'same', value: first.shown };
  const max = Math.max(...counts.values());
  const leaders = [...counts].filter(([, count]) => count === max);
  const prevailing = leaders.length === 1 ? leaders[0]?.[0] : undefined;
  return {
    type: 'different',
    cells: values.map(({ shown, identity }) => ({ value: shown, odd: identity !== prevailing })),
  };
}
