import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { formatNumber } from '../../src/base/format.ts';
import type { PageContext } from './pageContext.ts';

const pageLength = 100;

/** Functions that render a list. */
interface ListParts<V> {
  /** Renders the container, which must contain only the items. */
  readonly frame: (items: unknown) => TemplateResult;
  /** Identifies a view within its list; a view whose key changes gets a new element. */
  readonly keyOf: (view: V, index: number) => string;
  /** Renders one item as one element. */
  readonly item: (view: V, index: number) => TemplateResult;
}

/** Renders a list that shows a hundred more items per press, so that ten thousand rows render as fast as a hundred. */
export function renderPagedList<V>(
  views: readonly V[],
  path: string,
  { locale, unfolding }: PageContext,
  { frame, keyOf, item }: ListParts<V>,
): TemplateResult {
  const shownLength = unfolding.lengthAt(path, pageLength);
  const left = views.length - shownLength;
  const grow = ({ currentTarget }: Event): void => {
    const list = currentTarget instanceof Element ? currentTarget.previousElementSibling : null;
    const before = list?.childElementCount ?? 0;
    unfolding.setLength(path, shownLength + pageLength);
    if (left <= pageLength) focusOn(list?.children.item(before));
  };
  const words = t('Show {0} more of {1}', Math.min(left, pageLength), formatNumber(views.length, locale));
  const button = html`<button class="quiet" type="button" @click=${grow}>${words}</button>`;
  return html`${frame(repeat(views.slice(0, shownLength), keyOf, item))}${left > 0 ? button : nothing}`;
}

/** Moves the focus to the first item that the last press added, because that press removes the button. */
function focusOn(first: Element | null | undefined): void {
  if (!(first instanceof HTMLElement)) return;
  first.tabIndex = -1;
  first.focus();
}
