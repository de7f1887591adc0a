import type {
  JobView,
  ViewPart,
  ViewRow,
  ViewSection,
  ViewValue,
} from '../../../../../src/features/details/common/jobView.ts';

/** Formats a view as lines of text, so that a test reads like the page: `Details / Status: Done`. */
export function plainText(view: JobView): string[] {
  return view.sections.flatMap((section) => sectionText(section));
}

export function sectionText({ title, parts }: ViewSection): string[] {
  return parts.flatMap((part) => partText(part).map((line) => `${title} / ${line}`));
}

/** Formats one part: `Status: Done`, `Custom metadata / title: A`. */
function partText(part: ViewPart): string[] {
  const lines = [
    ...part.remarks,
    ...part.notes.map(({ text }) => `! ${text}`),
    ...part.rows.map(rowText),
    ...part.groups.flatMap(({ title, rows }) => rows.map((row) => `${title} / ${rowText(row)}`)),
    ...(part.switches?.rows ?? []).map(
      ({ category, messages, callback, hint }) =>
        `${category}: ${valueText(messages)} | ${valueText(callback)}${hint === undefined ? '' : ` (${hint})`}`,
    ),
    ...(part.members === undefined ? [] : [part.members.replaceAll(/\s+/g, ' ')]),
  ];
  return part.title === '' ? lines : lines.map((line) => `${part.title} / ${line}`);
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
