import type { ViewRow } from '../../src/domain/jobView/jobView.ts';
import type { CopyButtons } from './copyButtons.ts';
import { element } from './element.ts';
import type { PageContext } from './pageContext.ts';
import { pagedList } from './pagedList.ts';
import type { Part } from './part.ts';
import { rowPart } from './rowPart.ts';

/** Rows of labels and values, a hundred at a time. */
export function rowList(
  first: readonly ViewRow[],
  path: string,
  context: PageContext,
  copies: CopyButtons,
): Part<readonly ViewRow[]> {
  const list = element('dl', { class: 'rows' });
  const holder = element('div', { class: 'row-list' }, list);
  const rows = pagedList<ViewRow>(
    list,
    holder,
    context.locale,
    ({ id }, index) => `${index}:${id}`,
    (row, index) => rowPart(row, `${path}/${index}`, context, copies),
  );
  const update = (views: readonly ViewRow[]): void => {
    holder.hidden = views.length === 0;
    rows(views);
  };
  update(first);
  return { element: holder, update };
}
