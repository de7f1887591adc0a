import { t } from '@vscode/l10n';
import type { Job } from '../../../jobs/common/job.ts';
import { processingMs } from '../../../jobs/common/processingMs.ts';
import { formatDuration } from '../../../base/duration.ts';
import { formatNumber, type ViewFacts } from '../../../base/format.ts';
import {
  wordsValue,
  type Formats,
  buildFieldRow,
  missing,
  type ItemObject,
  buildPart,
  valueAt,
} from './buildFieldRow.ts';
import type { RowAction, ViewRow, ViewPart, ViewValue } from './jobView.ts';
import { describeKind, describeStatus } from '../../../jobs/common/jobRow.ts';
import { wholeItemShape } from '../../../jobs/common/decodeJob.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import { readMembers } from '../../../base/json/jsonText.ts';
import type { RecordShape } from '../../../base/decode/readShape.ts';

/** Builds the part of the fields of contract 2.2, with the duration of the job. Objects with entries have their own parts. */
export function buildOverview(job: Job, item: ItemObject, facts: ViewFacts, show: Formats): ViewPart {
  const error = errorRow(item, facts);
  const hasFailed = job.status === 'error';
  const rows = [
    buildFieldRow(item, 'status', t('Status'), (value) =>
      typeof value === 'string' ? wordsValue(describeStatus(value).text) : undefined,
    ),
    ...(hasFailed ? [error] : []),
    kindRow(job, item),
    withAction(buildFieldRow(item, 'id', t('ID'), show.word), { type: 'copy', what: 'id' }),
    withAction(buildFieldRow(item, 'request_id', t('Request ID'), show.word), { type: 'copy', what: 'requestId' }),
    buildFieldRow(item, 'version', t('Version'), show.plainNumber),
    buildFieldRow(item, 'created_at', t('Created'), show.moment),
    buildFieldRow(item, 'completed_at', t('Completed'), show.moment),
    durationRow(job, facts),
    ...(hasFailed ? [] : [error]),
    ...fileRows(item, show),
    ...objectRows(item),
  ];
  const notes = timesContradict(job)
    ? [{ id: 'completedBeforeCreated', text: t('The completion time is before the creation time.') }]
    : [];
  return { ...buildPart('overview', '', rows), notes };
}

/** Returns the row of the file name, which some services send. */
function fileRows(item: ItemObject, show: Formats): readonly ViewRow[] {
  const name = valueAt(item.value, 'file.filename');
  return typeof name === 'string' && name !== ''
    ? [buildFieldRow(item, 'file.filename', t('File name'), show.word)]
    : [];
}

/** Returns rows for objects that are missing, shown as a dash, or empty, shown as `{}`. */
function objectRows(item: ItemObject): readonly ViewRow[] {
  const fields = {
    custom_metadata: t('Custom metadata'),
    post_session_metadata: t('Post-session metadata'),
    request_params: t('Parameters'),
  };
  return Object.entries(fields).flatMap(([field, label]) => {
    const value = valueAt(item.value, field);
    const isEmpty = isJsonObject(value) && Object.keys(value).length === 0;
    if (value !== undefined && value !== null && !isEmpty) return [];
    const shown: ViewValue = isEmpty ? { type: 'json', json: '{}' } : missing;
    return [{ id: field, label, named: false, value: shown, remark: undefined, action: undefined }];
  });
}

function timesContradict({ createdAtMs, completedAtMs }: Job): boolean {
  return createdAtMs !== undefined && completedAtMs !== undefined && completedAtMs < createdAtMs;
}

/** Returns the row of the kind. An item without a kind has that of the requested list. */
function kindRow({ kind }: Job, item: ItemObject): ViewRow {
  const row = buildFieldRow(item, 'kind', t('Kind'), (value) =>
    typeof value === 'string' ? wordsValue(describeKind(value)) : undefined,
  );
  return row.value.type === 'missing' && kind !== '' ? { ...row, value: wordsValue(describeKind(kind)) } : row;
}

/** Returns the label of the time from creation to completion. */
export function describeDuration({ kind }: Job): string {
  return kind === 'live' ? t('Session length') : t('Processing time');
}

function durationRow(job: Job, { locale }: ViewFacts): ViewRow {
  const length = processingMs(job);
  return {
    id: 'duration',
    label: describeDuration(job),
    named: false,
    value: length === undefined ? missing : wordsValue(formatDuration(length, locale)),
    remark: undefined,
    action: undefined,
  };
}

/** Formats an error code with the user's label: "422: Bad audio". */
export function describeErrorWithLabel(code: number, facts: Pick<ViewFacts, 'errorLabels' | 'locale'>): string {
  const label = Object.hasOwn(facts.errorLabels, String(code)) ? facts.errorLabels[String(code)] : undefined;
  const digits = formatNumber(code, facts.locale, false);
  return label === undefined ? digits : t('{0}: {1}', digits, label);
}

function errorRow(item: ItemObject, facts: ViewFacts): ViewRow {
  const code = item.value['error_code'];
  const row = buildFieldRow(item, 'error_code', t('Error code'), (value) =>
    typeof value === 'number' ? wordsValue(describeErrorWithLabel(value, facts)) : undefined,
  );
  return typeof code === 'number' ? withAction(row, { type: 'editErrorLabel', code }) : row;
}

function withAction(row: ViewRow, action: RowAction): ViewRow {
  return row.value.type === 'missing' ? row : { ...row, action };
}

/** Builds the part of fields beyond the contract (2.2, 2.3), by dotted path; undefined if there are none. */
export function buildOtherFields(itemText: string): ViewPart | undefined {
  const rows = buildLeftoverRows(itemText, wholeItemShape, '');
  return rows.length === 0 ? undefined : buildPart('other', t('Other fields'), rows);
}

/** Returns rows for the unknown members of an object, and for values that replace an expected object. */
export function buildLeftoverRows(objectText: string, shape: RecordShape, prefix: string): ViewRow[] {
  const lastOfEach = new Map(readMembers(objectText).map(({ key, text }) => [key, text]));
  return [...lastOfEach].flatMap(([key, json]) => {
    const expected = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const id = `${prefix}${key}`;
    const row = { id, label: id, named: true, value: { type: 'json', json }, action: undefined } as const;
    if (expected === undefined) return [{ ...row, remark: undefined }];
    if (typeof expected !== 'object' || json === 'null') return [];
    if (json.startsWith('{')) return buildLeftoverRows(json, expected, `${id}.`);
    return [{ ...row, remark: t('Unexpected type') }];
  });
}
