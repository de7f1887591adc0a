import { t } from '@vscode/l10n';
import { html, type TemplateResult } from 'lit/html.js';
import { formatDistance } from '../../src/base/format.ts';
import type { ViewMoment, ViewStatus, ViewValue } from '../../src/features/details/common/jobView.ts';
import { keepCurrent } from './keepCurrent.ts';
import type { PageContext } from './pageContext.ts';
import { renderIcon } from './renderIcon.ts';
import { renderJson } from './renderJson.ts';
import { renderOutsideText } from './renderOutsideText.ts';

/** Renders any value of a view. `path` and `name` are those of {@link renderJson}. */
export function renderValue(value: ViewValue, path: string, name: string, page: PageContext): TemplateResult {
  switch (value.type) {
    case 'missing':
      return html`<span class="missing">–</span>`;
    case 'text':
      return value.verbatim ? renderOutsideText(value.text, path, page) : html`<bdi>${value.text}</bdi>`;
    case 'switch':
      return html`<span class=${value.on ? 'switch on' : 'switch'}>${value.on ? t('On') : t('Off')}</span>`;
    case 'moment':
      return renderMoment(value, page);
    case 'json':
      return renderJson(value, path, name, page);
  }
}

/** Renders an absolute date and time with its relative time. */
export function renderMoment({ atMs, iso, absolute }: ViewMoment, { locale }: PageContext): TemplateResult {
  const distance = keepCurrent(() => formatDistance(atMs, Date.now(), locale));
  return html`<span class="moment"
    ><time datetime=${iso} title=${iso}>${absolute}</time> <span class="dim">${distance}</span></span
  >`;
}

/** Renders a status label with the icon and colour of its tone. */
export function renderStatus({ tone, text }: ViewStatus): TemplateResult {
  return html`<span class="status tone-${tone}">${renderIcon(tone)}<bdi>${text}</bdi></span>`;
}
