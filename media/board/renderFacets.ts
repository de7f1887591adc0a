import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownFacet } from '../../src/features/board/common/boardProtocol.ts';
import { describeField } from '../../src/features/board/common/boardText.ts';
import type { FacetCondition } from '../../src/features/board/common/boardView.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { renderIcon } from '../page/renderIcon.ts';
import { applyStyle } from './applyStyle.ts';

type Value = ShownFacet['values'][number];

/**
 * Renders the facets, each with its most frequent values.
 * @param press called when a value was clicked, or excluded with a modifier
 */
export function renderFacets(
  facets: readonly ShownFacet[],
  press: (condition: FacetCondition) => void,
  locale: Locale,
): TemplateResult {
  const shown = facets.filter(({ values }) => values.length > 0);
  return html`<div class="facets" role="region" aria-label=${t('Narrow down')}>
    ${
      shown.length === 0
        ? nothing
        : html`<p class="hint">
            ${t('Click to narrow down, Alt+click to exclude. With the keyboard: arrow keys, Enter, Delete.')}
          </p>`
    }
    ${repeat(
      shown,
      ({ key }) => key,
      (facet) => renderFacet(facet, press, locale),
    )}
  </div>`;
}

function renderFacet(
  { key, values, further }: ShownFacet,
  press: (condition: FacetCondition) => void,
  locale: Locale,
): TemplateResult {
  // Bars are relative to the most frequent value; jobs without a value have no bar.
  const max = Math.max(1, ...values.map(({ value, count }) => (value === undefined ? 0 : count)));
  return html`<fieldset class="facet">
    <legend title=${key}>${describeField(key)}</legend>
    <ul>
      ${repeat(
        values,
        ({ value }) => JSON.stringify([key, value ?? null]),
        (each) => renderValue(key, each, max, press, locale),
      )}
    </ul>
    ${further > 0 ? html`<p class="further">${t('{0} more', formatNumber(further, locale))}</p>` : nothing}
  </fieldset>`;
}

function renderValue(
  key: string,
  { value, label, count, state }: Value,
  max: number,
  press: (condition: FacetCondition) => void,
  locale: Locale,
): TemplateResult {
  const number = formatNumber(count, locale);
  const narrow = (event: MouseEvent): void => press({ key, value, isExcluded: event.altKey });
  const exclude = (): void => press({ key, value, isExcluded: true });
  const pressKey = (event: KeyboardEvent): void => {
    const isExclusion = event.key === 'Delete' || (event.key === 'Enter' && event.altKey);
    if (!isExclusion) return;
    event.preventDefault();
    exclude();
  };
  return html`<li class="facet-value ${state} ${value === undefined ? 'absent' : ''}">
    <button
      type="button"
      class="facet-button"
      aria-pressed=${String(state !== 'free')}
      aria-keyshortcuts="Delete Alt+Enter"
      title=${`${label} · ${number}`}
      @click=${narrow}
      @keydown=${pressKey}
    >
      <bdi class="facet-label">${label}</bdi> <span class="facet-number">${number}</span>${
        state === 'excluded' ? html`<span class="announcer">${t('excluded')}</span>` : nothing
      }
      ${
        value === undefined
          ? nothing
          : html`<span class="facet-bar" ${applyStyle({ '--share': `${(100 * count) / max}%` })}></span>`
      }
    </button>
    <button
      type="button"
      class="facet-exclude"
      tabindex="-1"
      aria-label=${t('Exclude {0}', label)}
      title=${t('Exclude (Delete)')}
      @click=${exclude}
    >
      ${renderIcon('error')}
    </button>
  </li>`;
}

/** Returns the conditions after a value was pressed: the first press adds its condition, the second removes it. */
export function toggleCondition(
  conditions: readonly FacetCondition[],
  pressed: FacetCondition,
): readonly FacetCondition[] {
  const isSame = (each: FacetCondition): boolean => each.key === pressed.key && each.value === pressed.value;
  const before = conditions.find(isSame);
  const rest = conditions.filter((each) => !isSame(each));
  // Pressing a value that has a condition removes the condition, unless the press turns an included value into an excluded one.
  if (before !== undefined && (before.isExcluded === pressed.isExcluded || before.isExcluded)) return rest;
  return [...rest, pressed];
}
