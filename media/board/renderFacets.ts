import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { ShownFacet } from '../../src/features/board/common/boardProtocol.ts';
import { describeField } from '../../src/features/board/common/boardText.ts';
import type { FacetCondition } from '../../src/features/board/common/boardView.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { renderIcon } from '../page/renderIcon.ts';
import { applyStyle } from './applyStyle.ts';

type Value = ShownFacet['values'][number];

/** Value of each facet that Tab reaches: the last one that had the focus. */
export type FacetStops = Map<string, string | undefined>;

/**
 * Renders the facets, each with its most frequent values.
 * @param press called when a value was clicked, or excluded with a modifier
 * @param stops state that the caller keeps between calls
 */
export function renderFacets(
  facets: readonly ShownFacet[],
  press: (condition: FacetCondition) => void,
  locale: Locale,
  stops: FacetStops,
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
      (facet) => renderFacet(facet, press, locale, stops),
    )}
  </div>`;
}

function renderFacet(
  { key, values, further }: ShownFacet,
  press: (condition: FacetCondition) => void,
  locale: Locale,
  stops: FacetStops,
): TemplateResult {
  const isStop = ({ value }: Value): boolean => stops.has(key) && stops.get(key) === value;
  const stop = values.find(isStop) ?? values[0];
  // Bars are relative to the most frequent value; jobs without a value have no bar.
  const max = Math.max(1, ...values.map(({ value, count }) => (value === undefined ? 0 : count)));
  return html`<fieldset class="facet">
    <legend title=${key}>${describeField(key)}</legend>
    <ul @keydown=${moveWithin}>
      ${repeat(
        values,
        ({ value }) => JSON.stringify([key, value ?? null]),
        (each) => renderValue(key, each, each === stop, max, press, locale, stops),
      )}
    </ul>
    ${further > 0 ? html`<p class="further">${t('{0} more', formatNumber(further, locale))}</p>` : nothing}
  </fieldset>`;
}

function renderValue(
  key: string,
  { value, label, count, state }: Value,
  isStop: boolean,
  max: number,
  press: (condition: FacetCondition) => void,
  locale: Locale,
  stops: FacetStops,
): TemplateResult {
  const number = formatNumber(count, locale);
  const narrow = (event: MouseEvent): void => press({ key, value, isExcluded: event.altKey });
  const exclude = (): void => press({ key, value, isExcluded: true });
  const stopHere = ({ currentTarget }: FocusEvent): void => {
    stops.set(key, value);
    for (const each of valueButtons(currentTarget)) each.tabIndex = each === currentTarget ? 0 : -1;
  };
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
      tabindex=${live(isStop ? '0' : '-1')}
      aria-pressed=${String(state !== 'free')}
      aria-keyshortcuts="Delete Alt+Enter"
      title=${`${label} · ${number}`}
      @click=${narrow}
      @keydown=${pressKey}
      @focus=${stopHere}
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

/** Moves the focus between the values of a facet with arrow keys, Home and End. Tab reaches only one of the values. */
function moveWithin(event: KeyboardEvent): void {
  const buttons = valueButtons(event.currentTarget);
  const place = buttons.findIndex((each) => each.parentElement?.contains(document.activeElement) === true);
  const to = {
    ArrowDown: Math.min(place + 1, buttons.length - 1),
    ArrowUp: Math.max(place - 1, 0),
    Home: 0,
    End: buttons.length - 1,
  }[event.key];
  if (to === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  buttons[to]?.focus();
}

/** Returns the value buttons of the facet that contains an element. */
function valueButtons(part: EventTarget | null): readonly HTMLElement[] {
  const list = part instanceof HTMLElement ? part.closest('ul') : null;
  return list === null ? [] : [...list.querySelectorAll<HTMLElement>('.facet-button')];
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
