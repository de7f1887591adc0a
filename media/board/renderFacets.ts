import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { ShownFacet } from '../../src/domain/board/boardProtocol.ts';
import { describeField, formatBrief, formatFigure } from '../../src/domain/board/boardText.ts';
import type { FacetCondition } from '../../src/domain/board/boardView.ts';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { renderIcon } from '../page/renderIcon.ts';
import { applyStyle } from './applyStyle.ts';

type Value = ShownFacet['values'][number];

/**
 * The fields to narrow by, each with its most frequent values.
 * @param press a value was clicked, or excluded with a modifier
 * @param isOpen there may be more jobs
 */
export function renderFacets(
  facets: readonly ShownFacet[],
  press: (condition: FacetCondition) => void,
  locale: Locale,
  isOpen: boolean,
): TemplateResult {
  return html`<div class="facets" role="region" aria-label=${t('Narrow down')}>
    <p class="hint">${t('Click to narrow down, Alt+click to exclude')}</p>
    ${facets.map((facet) => renderFacet(facet, press, locale, isOpen))}
  </div>`;
}

function renderFacet(
  { key, values, further }: ShownFacet,
  press: (condition: FacetCondition) => void,
  locale: Locale,
  isOpen: boolean,
): TemplateResult {
  // Bars are shares of what there is; jobs without a value have none.
  const most = Math.max(1, ...values.map(({ value, figure }) => (value === undefined ? 0 : figure.count)));
  return html`<fieldset class="facet">
    <legend title=${key}>${describeField(key)}</legend>
    <ul>
      ${values.map((value) => renderValue(key, value, most, press, locale, isOpen))}
    </ul>
    ${further > 0 ? html`<p class="further">${t('{0} more', formatNumber(further, locale))}</p>` : nothing}
  </fieldset>`;
}

function renderValue(
  key: string,
  { value, label, figure, state }: Value,
  most: number,
  press: (condition: FacetCondition) => void,
  locale: Locale,
  isOpen: boolean,
): TemplateResult {
  const number = formatFigure(figure, locale, isOpen);
  const narrow = (event: MouseEvent): void => press({ key, value, isExcluded: event.altKey });
  const exclude = (): void => press({ key, value, isExcluded: true });
  return html`<li class="facet-value ${state} ${value === undefined ? 'absent' : ''}">
    <button
      type="button"
      class="facet-button"
      aria-pressed=${String(state !== 'free')}
      title=${`${label} · ${number}`}
      @click=${narrow}
    >
      <bdi class="facet-label">${label}</bdi> <span class="facet-number">${formatBrief(figure, locale, isOpen)}</span>${
        state === 'excluded' ? html`<span class="announcer">${t('excluded')}</span>` : nothing
      }
      ${
        value === undefined
          ? nothing
          : html`<span class="facet-bar" ${applyStyle({ '--share': `${(100 * figure.count) / most}%` })}></span>`
      }
    </button>
    <button
      type="button"
      class="facet-exclude"
      aria-label=${t('Exclude {0}', label)}
      title=${t('Exclude')}
      @click=${exclude}
    >
      ${renderIcon('error')}
    </button>
  </li>`;
}

/** The conditions after a value was pressed: once to set it, again to lift it. */
export function toggleCondition(
  conditions: readonly FacetCondition[],
  pressed: FacetCondition,
): readonly FacetCondition[] {
  const isSame = (each: FacetCondition): boolean => each.key === pressed.key && each.value === pressed.value;
  const before = conditions.find(isSame);
  const rest = conditions.filter((each) => !isSame(each));
  // The first press of a value that is set lifts it, unless it is to be excluded instead.
  if (before !== undefined && (before.isExcluded === pressed.isExcluded || before.isExcluded)) return rest;
  return [...rest, pressed];
}
