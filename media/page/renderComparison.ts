import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type {
  ComparedSession,
  ComparisonCell,
  ComparisonGroup,
  ComparisonRow,
  ComparisonView,
} from '../../src/features/details/common/comparison.ts';
import { shortenId } from '../../src/jobs/common/jobRow.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton, renderFoldButton } from './renderButton.ts';
import { renderName } from './renderOutsideText.ts';
import { renderMoment, renderStatus, renderValue } from './renderValue.ts';

/**
 * Renders sessions or jobs side by side. Values that all sessions share are collapsed and shown once.
 * @param diffOffered true if there are exactly two sessions, which the editor can show as a text diff.
 */
export function renderComparison(view: ComparisonView, diffOffered: boolean, page: PageContext): TemplateResult {
  const diff = (): TemplateResult =>
    renderButton({ icon: 'diff', label: t('Compare as JSON') }, () => page.send({ type: 'openDiff' }));
  const heads = repeat(
    view.sessions,
    ({ id }, index) => `${index}:${id}`,
    (session, index) => renderHead(session, index, page),
  );
  const groups = repeat(
    view.groups,
    ({ id }) => id,
    (group) => renderGroup(group, view.sessions.length, page),
  );
  return html`<div class="compare">
    <header>
      <h1>${view.title}</h1>
      <p class="dim">${view.summary}</p>
      ${view.note === undefined ? nothing : html`<p class="dim">${view.note}</p>`}
      <div class="actions">${diffOffered ? diff() : nothing}</div>
    </header>
    <table class="comparison" aria-label=${view.rowNames.all}>
      <thead>
        <tr>
          <th scope="col">${view.rowNames.one}</th>
          ${heads}
        </tr>
      </thead>
      ${groups}
    </table>
  </div>`;
}

function renderHead({ id, title, status, created }: ComparedSession, index: number, page: PageContext): TemplateResult {
  const open = (): void => page.send({ type: 'openSession', index });
  return html`<th scope="col">
    <button class="link" type="button" title=${id} @click=${open}><bdi>${title}</bdi></button>
    ${title === shortenId(id) ? nothing : html`<div class="id"><code>${shortenId(id)}</code></div>`}
    ${renderStatus(status)}
    <div class="created">${created === undefined ? nothing : renderMoment(created, page)}</div>
  </th>`;
}

/** Renders a group of parameters as a `tbody`: rows that differ are always visible, the others only if the group is expanded. */
function renderGroup(group: ComparisonGroup, sessionCount: number, page: PageContext): TemplateResult {
  const path = `compare/${group.id}`;
  const words = html`<span>${group.title}</span><span class="dim">${countsText(group)}</span>`;
  const foldable = group.rows.some(({ values }) => values.type === 'same');
  const open = page.unfolding.isOpen(path);
  const rows = repeat(
    group.rows,
    ({ id, values }, index) => `${index}:${id}:${values.type}`,
    (row, index) => renderComparedRow(row, sessionCount, `${path}/${index}`, open, page),
  );
  return html`<tbody>
    <tr class="group-head">
      <th scope="rowgroup" colspan=${sessionCount + 1}>${renderFoldButton(words, path, page, { foldable })}</th>
    </tr>
    ${rows}
  </tbody>`;
}

function countsText({ rows }: ComparisonGroup): string {
  const different = rows.filter(({ values }) => values.type === 'different').length;
  if (different === 0) return t('{0} identical', rows.length);
  const differ = different === 1 ? t('1 differs') : t('{0} differ', different);
  return different === rows.length ? differ : t('{0}, {1} identical', differ, rows.length - different);
}

function renderComparedRow(
  { label, named, values }: ComparisonRow,
  sessionCount: number,
  path: string,
  open: boolean,
  page: PageContext,
): TemplateResult {
  const same = values.type === 'same';
  const cells = same ? [{ value: values.value, odd: false }] : values.cells;
  // If all values differ from each other, none is marked: the visible row shows it. A value that differs from the majority has a line
  // beside it, in every theme.
  const isOdd = ({ odd }: ComparisonCell): boolean => odd && cells.some((each) => !each.odd);
  const cell = (each: ComparisonCell, index: number): TemplateResult =>
    html`<td class=${isOdd(each) ? 'odd' : ''} colspan=${same ? sessionCount : nothing}>
      ${renderValue(each.value, `${path}/${index}`, label, page)}${isOdd(each) ? html`<span class="announcer">${t('differs')}</span>` : nothing}
    </td>`;
  return html`<tr class=${values.type} ?hidden=${same && !open}>
    <th class=${named ? 'key' : ''} scope="row" aria-description=${same ? nothing : t('differs')}>
      ${renderName(label)}
    </th>
    ${cells.map(cell)}
  </tr>`;
}
