import type { SwitchTable } from '../../src/domain/jobView/jobView.ts';
import { element } from './element.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { valuePart } from './valuePart.ts';

/** Two sets of switches side by side. */
export function switchTablePart(first: SwitchTable, path: string, context: PageContext): Part<SwitchTable> {
  const { category, messages, callback } = first.columns;
  const header = [category, messages, callback].map((text) => element('th', { text, attributes: { scope: 'col' } }));
  const body = element('tbody');
  const rows = partList<SwitchTable['rows'][number]>(
    body,
    ({ id }) => id,
    (row, index) => {
      const left = valuePart(row.messages, `${path}/${index}/0`, row.category, context);
      const right = valuePart(row.callback, `${path}/${index}/1`, row.category, context);
      return {
        element: element(
          'tr',
          {},
          element('th', { text: row.category, attributes: { scope: 'row' } }),
          element('td', {}, left.element),
          element('td', {}, right.element),
        ),
        update: (next) => {
          left.update(next.messages);
          right.update(next.callback);
        },
      };
    },
  );
  rows(first.rows);
  return {
    element: element('table', { class: 'switches' }, element('thead', {}, element('tr', {}, ...header)), body),
    update: (table) => rows(table.rows),
  };
}
