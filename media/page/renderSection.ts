import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type {
  RowAction,
  SwitchTable,
  ViewNote,
  ViewRow,
  ViewSection,
} from '../../src/features/details/common/jobView.ts';
import { readMembers } from '../../src/base/json/jsonText.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton, renderCopyButton } from './renderButton.ts';
import { renderIcon } from './renderIcon.ts';
import { renderName } from './renderOutsideText.ts';
import { renderPagedList } from './renderPagedList.ts';
import { renderValue } from './renderValue.ts';

/** Renders a section of the page with its heading. Empty parts are omitted. */
export function renderSection(section: ViewSection, page: PageContext): TemplateResult {
  const { id, title, notes, groups, switches } = section;
  const rows = rowsOf(section);
  const parts = [
    notes.length > 0 ? renderNotes(notes) : nothing,
    renderRows(rows, id, page),
    groups.length > 0 ? renderGroups(section, page) : nothing,
    switches === undefined ? nothing : renderSwitches(switches, `${id}/switches`, page),
  ];
  return html`<section class="section section-${id}" aria-labelledby="section-${id}">
    <h2 id="section-${id}">${title}</h2>
    ${parts}
  </section>`;
}

/** Renders warnings and errors, such as a failed job or contradictory parameters. */
export function renderNotes(notes: readonly ViewNote[]): TemplateResult {
  const note = ({ text }: ViewNote): TemplateResult => html`<li>${renderIcon('note')}<span>${text}</span></li>`;
  return html`<ul class="notes">
    ${repeat(notes, ({ id }) => id, note)}
  </ul>`;
}

function renderGroups({ id, groups }: ViewSection, page: PageContext): TemplateResult {
  const group = (each: ViewSection['groups'][number]): TemplateResult =>
    html`<div class="group">
      <h3>${each.title}</h3>
      ${renderRows(each.rows, `${id}/${each.id}`, page)}
    </div>`;
  return html`<div class="groups">${repeat(groups, (each) => each.id, group)}</div>`;
}

/** Renders the two sets of on/off settings side by side. */
function renderSwitches({ columns, rows }: SwitchTable, path: string, page: PageContext): TemplateResult {
  const head = [columns.category, columns.messages, columns.callback].map((text) => html`<th scope="col">${text}</th>`);
  const row = ({ category, messages, callback }: SwitchTable['rows'][number], index: number): TemplateResult =>
    html`<tr>
      <th scope="row">${category}</th>
      <td>${renderValue(messages, `${path}/${index}/0`, category, page)}</td>
      <td>${renderValue(callback, `${path}/${index}/1`, category, page)}</td>
    </tr>`;
  return html`<table class="switches">
    <thead>
      <tr>
        ${head}
      </tr>
    </thead>
    <tbody>
      ${repeat(rows, ({ id }) => id, row)}
    </tbody>
  </table>`;
}

/** Renders labels and values, a hundred at a time. */
function renderRows(rows: readonly ViewRow[], path: string, page: PageContext): TemplateResult | typeof nothing {
  if (rows.length === 0) return nothing;
  const list = renderPagedList(rows, path, page, {
    frame: (items) => html`<dl class="rows">${items}</dl>`,
    keyOf: ({ id }, index) => `${index}:${id}`,
    item: (row, index) => renderRow(row, `${path}/${index}`, page),
  });
  return html`<div class="row-list">${list}</div>`;
}

function renderRow({ label, named, value, remark, action }: ViewRow, path: string, page: PageContext): TemplateResult {
  const shown = renderValue(value, path, label, page);
  const button = action === undefined ? nothing : html`<span class="row-actions">${renderAction(action, page)}</span>`;
  const words = remark === undefined ? nothing : html`<span class="remark">${remark}</span>`;
  return html`<div class="row">
    <dt class=${named ? 'key' : ''}>${renderName(label)}</dt>
    <dd>${shown}${button}${words}</dd>
  </div>`;
}

function renderAction(action: RowAction, page: PageContext): TemplateResult {
  switch (action.type) {
    case 'copy': {
      const label = action.what === 'id' ? t('Copy ID') : t('Copy request ID');
      return renderCopyButton(action.what, { icon: 'copy', label, iconOnly: true }, page);
    }
    case 'editErrorLabel': {
      const { code } = action;
      const label = t('Edit the label of error code {0}', code);
      return renderButton({ icon: 'edit', label, iconOnly: true }, () => page.send({ type: 'editErrorLabel', code }));
    }
  }
}

const membersRead = new WeakMap<ViewSection, readonly ViewRow[]>();

/** Converts free-form members to rows lazily, one level at a time and cached: only the visible part of large metadata takes time. */
function rowsOf(section: ViewSection): readonly ViewRow[] {
  if (section.members === undefined) return section.rows;
  const rows = membersRead.get(section) ?? readMemberRows(section.members);
  membersRead.set(section, rows);
  return rows;
}

function readMemberRows(members: string): readonly ViewRow[] {
  return readMembers(members).map(({ key, text }) => ({
    id: key,
    label: key,
    named: true,
    value: { type: 'json', json: text },
    remark: undefined,
    action: undefined,
  }));
}
