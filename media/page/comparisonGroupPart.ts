import { t } from '@vscode/l10n';
import type { ComparisonCell, ComparisonGroup, ComparisonRow } from '../../src/domain/jobView/comparison.ts';
import { element, setText } from './element.ts';
import { icon } from './icon.ts';
import { nameLabel } from './nameLabel.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { valuePart } from './valuePart.ts';

/** One group of parameters as a `tbody`: rows that differ always show, the others when the group is unfolded. */
export function comparisonGroupPart(
  first: ComparisonGroup,
  sessionCount: number,
  context: PageContext,
): Part<ComparisonGroup> {
  const path = `compare/${first.id}`;
  const counts = element('span', { class: 'dim' });
  const fold = element(
    'button',
    {
      class: 'fold',
      attributes: { type: 'button' },
      onClick: () => {
        context.folds.set(path, !context.folds.isOpen(path));
        apply();
      },
    },
    icon('chevron'),
    element('span', { text: first.title }),
    counts,
  );
  const head = element(
    'tr',
    { class: 'group-head' },
    element('th', { attributes: { scope: 'rowgroup', colspan: String(sessionCount + 1) } }, fold),
  );
  const body = element('tbody', {}, head);
  const rows = partList<ComparisonRow>(
    body,
    (row, index) => `${index}:${row.id}:${row.values.type}`,
    (row, index) => comparisonRowPart(row, sessionCount, `${path}/${index}`, context),
    head,
  );
  const apply = (): void => {
    const open = context.folds.isOpen(path);
    const same = body.querySelectorAll<HTMLTableRowElement>('tr.same');
    for (const row of same) row.hidden = !open;
    fold.disabled = same.length === 0;
    if (fold.disabled) fold.removeAttribute('aria-expanded');
    else fold.setAttribute('aria-expanded', String(open));
  };
  const update = (group: ComparisonGroup): void => {
    setText(counts, countsText(group));
    rows(group.rows);
    apply();
  };
  update(first);
  return { element: body, update };
}

function countsText({ rows }: ComparisonGroup): string {
  const different = rows.filter(({ values }) => values.type === 'different').length;
  if (different === 0) return t('{0} the same', rows.length);
  const differ = different === 1 ? t('1 differs') : t('{0} differ', different);
  return different === rows.length ? differ : t('{0}, {1} the same', differ, rows.length - different);
}

function comparisonRowPart(
  first: ComparisonRow,
  sessionCount: number,
  path: string,
  context: PageContext,
): Part<ComparisonRow> {
  const label = element(
    'th',
    { class: first.named ? 'key' : '', attributes: { scope: 'row' } },
    nameLabel(first.label),
  );
  const made = element('tr', { class: first.values.type }, label);
  const cells = partList<ComparisonCell>(
    made,
    (_cell, index) => String(index),
    (cell, index) => cellPart(cell, `${path}/${index}`, first.label, context),
    label,
  );
  const update = ({ values }: ComparisonRow): void =>
    cells(values.type === 'same' ? [{ value: values.value, odd: false }] : values.cells);
  update(first);
  if (first.values.type === 'same') label.nextElementSibling?.setAttribute('colspan', String(sessionCount));
  return { element: made, update };
}

function cellPart(first: ComparisonCell, path: string, name: string, context: PageContext): Part<ComparisonCell> {
  const value = valuePart(first.value, path, name, context);
  const mark = element('span', { class: 'mark', text: t('differs') });
  const cell = element('td', {}, value.element, mark);
  const update = ({ value: view, odd }: ComparisonCell): void => {
    value.update(view);
    cell.className = odd ? 'odd' : '';
    mark.hidden = !odd;
  };
  update(first);
  return { element: cell, update };
}
