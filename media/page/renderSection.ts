import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { oneLine } from '../../src/base/outsideText.ts';
import type {
  RowAction,
  SwitchTable,
  ViewNote,
  ViewRow,
  ViewPart,
  ViewSection,
  JobView,
} from '../../src/features/details/common/jobView.ts';
import { readMembers } from '../../src/base/json/jsonText.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton, renderCopyButton } from './renderButton.ts';
import { renderIcon } from './renderIcon.ts';
import { renderName } from './renderOutsideText.ts';
import { renderPagedList } from './renderPagedList.ts';
import { renderValue } from './renderValue.ts';

/**
 * Renders a section whose heading opens and closes it.
 * @param render renders its content; called while it is open.
 */
export function renderFold(
  { id, title }: Pick<ViewSection, 'title'> & { readonly id: string },
  { folds }: JobView,
  { sections }: PageContext,
  render: () => unknown,
): TemplateResult {
  const isOpen = sections.isOpen(folds, id);
  return html`<section class="section section-${id}" aria-labelledby="section-${id}">
    <h2 id="section-${id}">
      <button class="fold" type="button" aria-expanded=${String(isOpen)} @click=${() => sections.toggle(folds, id)}>
        ${renderIcon('chevron')}${title}
      </button>
    </h2>
    ${isOpen ? render() : nothing}
  </section>`;
}

/** Renders a part of a section, with its heading if it has one. Empty elements are omitted. */
export function renderPart(part: ViewPart, page: PageContext): TemplateResult {
  const { id, title, notes, remarks, groups, switches } = part;
  const content = [
    remarks.map((remark) => html`<p class="dim">${remark}</p>`),
    notes.length > 0 ? renderNotes(notes) : nothing,
    renderRows(rowsOf(part), id, page),
    groups.length > 0 ? renderGroups(part, page) : nothing,
    switches === undefined ? nothing : renderSwitches(switches, `${id}/switches`, page),
  ];
  return html`<div class="part-of part-${id}">${title === '' ? nothing : html`<h3>${title}</h3>`}${content}</div>`;
}

/** Renders warnings and errors, such as a failed job or contradictory parameters. */
export function renderNotes(notes: readonly ViewNote[]): TemplateResult {
  const note = ({ id, text }: ViewNote): TemplateResult =>
    html`<li class=${id === 'next' ? id : nothing}>${renderIcon('note')}<span>${text}</span></li>`;
  return html`<ul class="notes">
    ${repeat(notes, ({ id }) => id, note)}
  </ul>`;
}

function renderGroups({ id, title, groups }: ViewPart, page: PageContext): TemplateResult {
  const group = (each: ViewPart['groups'][number]): TemplateResult =>
    html`<div class="group">
      ${title === '' ? html`<h3>${each.title}</h3>` : html`<h4>${each.title}</h4>`}
      ${renderRows(each.rows, `${id}/${each.id}`, page)}
    </div>`;
  return html`<div class="groups">${repeat(groups, (each) => each.id, group)}</div>`;
}

/** Renders the two sets of on/off settings side by side. */
function renderSwitches({ columns, rows }: SwitchTable, path: string, page: PageContext): TemplateResult {
  const head = [columns.category, columns.messages, columns.callback].map((text) => html`<th scope="col">${text}</th>`);
  const row = ({ category, messages, callback, hint }: SwitchTable['rows'][number], index: number): TemplateResult =>
    html`<tr>
      <th scope="row">${category}${hint === undefined ? nothing : html` <span class="remark">${hint}</span>`}</th>
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

/** In characters: the name of a button is read aloud. */
const maxKeyInName = 40;

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
    case 'useAsLabel': {
      const { key } = action;
      const label = t('Use {0} as Label', oneLine(key, maxKeyInName));
      return renderButton({ icon: 'tag', label, iconOnly: true }, () => page.send({ type: 'useAsLabel', key }));
    }
  }
}

const membersRead = new WeakMap<ViewPart, readonly ViewRow[]>();

/** Converts free-form members to rows lazily, one level at a time and cached: only the visible part of large metadata takes time. */
function rowsOf(part: ViewPart): readonly ViewRow[] {
  if (part.members === undefined) return part.rows;
  const rows = membersRead.get(part) ?? readMemberRows(part.members, part.id === 'custom_metadata');
  membersRead.set(part, rows);
  return rows;
}

/** @param canLabel true if the members are metadata that can label jobs. */
function readMemberRows(members: string, canLabel: boolean): readonly ViewRow[] {
  return readMembers(members).map(({ key, text }) => ({
    id: key,
    label: key,
    named: true,
    value: { type: 'json', json: text },
    remark: undefined,
    action: canLabel && isLabel(text) ? { type: 'useAsLabel', key } : undefined,
  }));
}

/** Maximum length of a value that can label jobs, as JSON. */
const maxLabel = 200;

function isLabel(json: string): boolean {
  return json.length <= maxLabel && /^(?:"[^"]|-?\d)/.test(json);
}
