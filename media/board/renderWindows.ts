import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { CountedWindow, ShownView } from '../../src/domain/board/boardProtocol.ts';
import { timeFormat } from '../../src/domain/board/boardText.ts';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { applyStyle } from './applyStyle.ts';

/** The numbers of jobs by time, where nothing else is known of them. */
export function renderWindows({ windows, total, basis }: ShownView, locale: Locale): TemplateResult {
  const counts = windows.map(({ count }) => count);
  const sum = counts.reduce<number>((all, count = 0) => all + count, 0);
  const most = Math.max(1, ...counts.map((count = 0) => count));
  const isWhole = counts.every((count) => count !== undefined);
  const isCounted = basis.type === 'unsampled' && basis.isExact;
  return html`<section class="counted" aria-labelledby="counted-title">
    <h2 id="counted-title">${t('Jobs over time, counted')}</h2>
    <table>
      <thead>
        <tr>
          <th scope="col">${t('From')}</th>
          <th scope="col">${t('Until')}</th>
          <th scope="col">${t('Jobs')}</th>
          <td></td>
        </tr>
      </thead>
      <tbody>
        ${windows.map((each) => renderWindow(each, most, locale))}
      </tbody>
    </table>
    ${
      isWhole && isCounted && sum !== total
        ? html`<p class="dim">
            ${t(
              'The ranges add up to {0} jobs, not {1}: some came or went meanwhile, or have no usable time.',
              formatNumber(sum, locale),
              formatNumber(total, locale),
            )}
          </p>`
        : nothing
    }
  </section>`;
}

function renderWindow({ fromMs, toMs, count }: CountedWindow, most: number, locale: Locale): TemplateResult {
  const time = timeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  return html`<tr>
    <th scope="row">${time.format(fromMs)}</th>
    <td>${toMs === undefined ? t('now') : time.format(toMs)}</td>
    <td>${count === undefined ? t('not counted') : formatNumber(count, locale)}</td>
    <td class="counted-bar">
      <span class="facet-bar" ${applyStyle({ '--share': `${(100 * (count ?? 0)) / most}%` })}></span>
    </td>
  </tr>`;
}
