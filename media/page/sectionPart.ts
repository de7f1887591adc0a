import { t } from '@vscode/l10n';
import type { ViewGroup, ViewRow, ViewSection } from '../../src/domain/jobView/jobView.ts';
import { readMembers } from '../../src/domain/json/jsonText.ts';
import type { CopyButtons } from './copyButtons.ts';
import { element, setText } from './element.ts';
import { notesPart } from './notesPart.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { rowList } from './rowList.ts';
import { switchTablePart } from './switchTablePart.ts';

/** A section of the page under its heading. */
export function sectionPart(first: ViewSection, context: PageContext, copies: CopyButtons): Part<ViewSection> {
  const headingId = `section-${first.id}`;
  const notes = notesPart(first.notes);
  const empty = element('p', { class: 'empty' });
  const rows = rowList(rowsOf(first), first.id, context, copies);
  const groups = element('div', { class: 'groups' });
  const updateGroups = partList<ViewGroup>(
    groups,
    ({ id }) => id,
    (group) => groupPart(group, `${first.id}/${group.id}`, context, copies),
  );
  const switches = element('div');
  const updateSwitches = partList<NonNullable<ViewSection['switches']>>(
    switches,
    () => 'table',
    (table) => switchTablePart(table, `${first.id}/switches`, context),
  );
  const update = (section: ViewSection): void => {
    notes.update(section.notes);
    rows.update(rowsOf(section));
    groups.hidden = section.groups.length === 0;
    updateGroups(section.groups);
    updateSwitches(section.switches === undefined ? [] : [section.switches]);
    const words = emptyText(section);
    empty.hidden = words === undefined;
    setText(empty, words ?? '');
  };
  update(first);
  return {
    element: element(
      'section',
      { class: `section section-${first.id}`, attributes: { 'aria-labelledby': headingId } },
      element('h2', { text: first.title, attributes: { id: headingId } }),
      notes.element,
      empty,
      rows.element,
      groups,
      switches,
    ),
    update,
  };
}

/** Free-form members become rows here, one level at a time, so that a megabyte of metadata costs what is seen of it. */
function rowsOf({ rows, members }: ViewSection): readonly ViewRow[] {
  if (members === undefined) return rows;
  return readMembers(members).map(({ key, text }) => ({
    id: key,
    label: key,
    named: true,
    value: { type: 'json', json: text },
    remark: undefined,
    action: undefined,
  }));
}

function emptyText(section: ViewSection): string | undefined {
  if (rowsOf(section).length + section.groups.length > 0 || section.switches !== undefined) return undefined;
  return section.members === undefined ? '–' : t('No entries');
}

function groupPart(first: ViewGroup, path: string, context: PageContext, copies: CopyButtons): Part<ViewGroup> {
  const rows = rowList(first.rows, path, context, copies);
  return {
    element: element('div', { class: 'group' }, element('h3', { text: first.title }), rows.element),
    update: (group) => rows.update(group.rows),
  };
}
