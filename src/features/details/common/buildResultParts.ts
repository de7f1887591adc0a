import { t } from '@vscode/l10n';
import type { Locale } from '../../../base/format.ts';
import { buildPart, wordsValue, type Formats } from './buildFieldRow.ts';
import type { ViewNote, ViewRow, ViewPart, ViewValue } from './jobView.ts';
import { describeFailedAddOn, nameAddOn, type AddOn } from '../../../jobs/common/result/addOns.ts';
import { describeFigures, type Gap, type JobResult } from '../../../jobs/common/result/jobResult.ts';
import { formatPosition } from '../../../jobs/common/result/turns.ts';

/** Returns the measured values of a result, with what could not be read. */
export function buildFiguresPart({ figures, transcript, gaps }: JobResult, locale: Locale, show: Formats): ViewPart {
  const languages = transcript === undefined ? [] : transcript.languages;
  const found = languages.length === 0 ? undefined : show.languages(languages);
  const rows = [
    ...describeFigures(figures, locale).flatMap(({ label, text }) =>
      text === undefined ? [] : [plainRow(label, wordsValue(text))],
    ),
    ...(found === undefined ? [] : [plainRow(t('Languages found'), found)]),
  ];
  return {
    ...buildPart('result', t('Result'), withIds(rows)),
    notes: gaps.length === 0 ? [] : [{ id: 'gaps', text: gapsText(gaps) }],
    remarks: [t('Shown as the service sent it; not part of the common interface.')],
  };
}

/** Returns the outcomes of the add-ons, after the passages of each; empty if there are no add-ons. */
export function buildAddOnParts({ transcript, addOns }: JobResult): readonly ViewPart[] {
  // Their text can be saved, and is not shown here.
  const formats = [
    ...new Set(
      [...(transcript?.subtitles ?? []), ...addOns.flatMap(({ subtitles }) => subtitles)].map(({ format }) => format),
    ),
  ];
  const rows = [
    ...(formats.length === 0
      ? []
      : [plainRow(t('Subtitles'), { type: 'text', text: formats.join(', '), verbatim: true })]),
    ...addOns.map((addOn) => plainRow(nameAddOn(addOn.name), wordsValue(outcomeText(addOn)))),
  ];
  const passages = addOns.flatMap(buildPassagesPart);
  return rows.length === 0
    ? []
    : [...passages, buildPart('outcomes', passages.length === 0 ? '' : t('Outcomes'), withIds(rows))];
}

/** Notes about failed add-ons, which even a job with the status `done` can have. */
export function describeFailedAddOns({ addOns }: JobResult): readonly ViewNote[] {
  return addOns
    .filter(({ outcome }) => outcome === 'failed')
    .map((addOn) => ({ id: addOn.name, text: describeFailedAddOn(addOn) }));
}

function outcomeText({ outcome, reason }: AddOn): string {
  switch (outcome) {
    case 'succeeded':
      return t('Succeeded');
    case 'failed':
      return reason === undefined ? t('Failed') : t('Failed: {0}', reason);
    case 'unsaid':
      return t("The service doesn't say whether it succeeded.");
  }
}

function gapsText(gaps: readonly Gap[]): string {
  const places = gaps.map(({ path, count }) => (count === 1 ? path : t('{0} ({1} times)', path, count)));
  return t('Missing or unreadable: {0}', places.join(', '));
}

function buildPassagesPart({ name, passages }: AddOn): readonly ViewPart[] {
  if (passages.length === 0) return [];
  const title = nameAddOn(name);
  const rows = passages.map(({ heading, text, startMs }) => {
    const label = [startMs === undefined ? '' : formatPosition(startMs), heading ?? ''].filter((part) => part !== '');
    return plainRow(label.length === 0 ? t('Text') : label.join(' · '), { type: 'text', text, verbatim: true });
  });
  return [buildPart(`result-${name}`, title, withIds(rows))];
}

function plainRow(label: string, value: ViewValue): ViewRow {
  return { id: label, label, named: false, value, remark: undefined, action: undefined };
}

/** Index ids, because two rows can have the same label. */
function withIds(rows: readonly ViewRow[]): readonly ViewRow[] {
  return rows.map((row, index) => ({ ...row, id: String(index) }));
}
