import type { JobView, ViewRow, ViewSection, ViewValue } from '../../../../../src/features/details/common/jobView.ts';

/** Formats a view as lines of text, so that a test reads like the page: `Overview / Status: Done`. */
export function plainText(view: JobView): string[] {
  return view.sections.flatMap((section) => sectionText(section));
}

export function sectionText(section: ViewSection): string[] {
  const lines = [
    ...section.notes.map(({ text }) => `! ${text}`),
    ...section.rows.map(rowText),
    ...section.groups.flatMap(({ title, rows }) => rows.map((row) => `${title} / ${rowText(row)}`)),
    ...(section.switches?.rows ?? []).map(
      ({ category, messages, callback }) => `${category}: ${valueText(messages)} | ${valueText(callback)}`,
    ),
    ...(section.members === undefined ? [] : [section.members.replaceAll(/\s+/g, ' ')]),
  ];
  return (lines.length === 0 ? ['–'] : lines).map((line) => `${section.title} / ${line}`);
}

function rowText({ label, value, remark }: ViewRow): string {
  return `${label}: ${valueText(value)}${remark === undefined ? '' : ` (${remark})`}`;
}

export function valueText(value: ViewValue): string {
  switch (value.type) {
    case 'missing':
      return '–';
    case 'text':
      return value.text;
    case 'switch':
      return value.on ? 'On' : 'Off';
    case 'moment':
      return value.absolute;
    case 'json':
      return value.json.replaceAll(/\s+/g, ' ');
  }
}
