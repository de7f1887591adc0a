import { t } from '@vscode/l10n';
import { canonicalizeJson } from '../json/formatJson.ts';
import { type Job, readJobItem } from '../jobs/job.ts';
import { requestParamsShape } from '../jobs/decodeJob.ts';
import { isJsonObject } from '../json/json.ts';
import type { ComparedSession, ComparisonRow, ComparisonView } from './comparison.ts';
import {
  formatsFor,
  missing,
  wordsValue,
  buildMoment,
  buildFieldRow,
  textAt,
  valueAt,
  type ItemObject,
} from './buildFieldRow.ts';
import type { ViewValue } from './jobView.ts';
import { buildLeftoverRows } from './overview.ts';
import { processingMs } from '../jobs/processingMs.ts';
import { describeFigures, readResult } from '../result/jobResult.ts';
import {
  listCallbackParameters,
  listMessageParameters,
  listParameterGroups,
  type Parameter,
  type ParameterGroup,
} from './parameters.ts';
import { describeStatus } from '../jobs/jobRow.ts';
import { formatDuration } from '../duration.ts';
import { type Locale } from '../format.ts';

/** A job with its label in the tree. */
export interface TitledJob {
  readonly job: Job;
  readonly title: string;
}

/**
 * Compares the parameters of live sessions (contract 2.3), unknown ones included. Values are equal when they are equal as JSON; absent and
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
    { id: 'other', title: t('Other fields'), rows: otherRows(params) },
  ].filter(({ rows }) => rows.length > 0);
  const rows = parameters.flatMap((group) => group.rows);
  const times = { id: 'times', title: t('Times'), rows: timeRows(sessions, locale) };
  const groups = times.rows.length === 0 ? parameters : [times, ...parameters];
  return {
    title: t('{0} sessions compared', sessions.length),
    summary: summary(rows.filter(({ values }) => values.type === 'different').length, rows.length),
    sessions: sessions.map(({ job, title }) => comparedSession(job, title, locale)),
    groups,
  };
}

/** How long the sessions lasted, and what the service measured: not among the parameters, which the summary counts. */
function timeRows(sessions: readonly TitledJob[], locale: Locale): readonly ComparisonRow[] {
  const all = sessions.map(({ job }): readonly { readonly label: string; readonly text: string | undefined }[] => {
    const lasted = processingMs(job);
    const figures = readResult(readJobItem(job))?.figures;
    const unknown = { audioMs: undefined, billedMs: undefined, processingMs: undefined, channels: undefined };
    return [
      { label: t('Session length'), text: lasted === undefined ? undefined : formatDuration(lasted, locale) },
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
    identity: canonicalizeJson(textAt(each.text, path)),
  }));
  return { id: path, label, named: false, values: side(values) };
}

function otherRows(params: readonly ItemObject[]): readonly ComparisonRow[] {
  const found = params.map(
    (each) => new Map(buildLeftoverRows(each.text, requestParamsShape, '').map((row) => [row.id, row])),
  );
  const ids = new Set(found.flatMap((rows) => [...rows.keys()]));
  return [...ids].map((id) => {
    const values = found.map((rows): ComparedValue => {
      const value: ViewValue = rows.get(id)?.value ?? { type: 'missing' };
      return { shown: value, identity: value.type === 'json' ? canonicalizeJson(value.json) : 'null' };
    });
    return { id, label: id, named: true, values: side(values) };
  });
}

interface ComparedValue {
  readonly shown: ViewValue;
  readonly identity: string;
}

/** The common value once, or all values, with those marked that differ from the majority. */
function side(values: readonly ComparedValue[]): ComparisonRow['values'] {
  const counts = new Map<string, number>();
  for (const { identity } of values) counts.set(identity, (counts.get(identity) ?? 0) + 1);
  const [first] = values;
  if (first !== undefined && counts.size === 1) return { type: 'same', value: first.shown };
  const most = Math.max(...counts.values());
  const leaders = [...counts].filter(([, count]) => count === most);
  const prevailing = leaders.length === 1 ? leaders[0]?.[0] : undefined;
  return {
    type: 'different',
    cells: values.map(({ shown, identity }) => ({ value: shown, odd: identity !== prevailing })),
  };
}
