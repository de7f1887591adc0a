import { t } from '@vscode/l10n';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { element } from './element.ts';
import { partList, type Part } from './part.ts';

const pageLength = 100;

/**
 * A list of parts that grows by a hundred at a press, so that ten thousand rows cost as little as a hundred.
 * @param holder where the button stands, after the container.
 */
export function pagedList<V>(
  container: HTMLElement,
  holder: HTMLElement,
  locale: Locale,
  keyOf: (view: V, index: number) => string,
  make: (view: V, index: number) => Part<V>,
): (views: readonly V[]) => void {
  let shownLength = pageLength;
  let all: readonly V[] = [];
  const update = partList(container, keyOf, make);
  const button = element('button', {
    class: 'quiet',
    attributes: { type: 'button' },
    onClick: () => {
      const last = container.lastElementChild;
      shownLength += pageLength;
      show();
      if (button.hidden) focusOn(last?.nextElementSibling);
    },
  });
  const caption = (left: number): string =>
    t('Show {0} more of {1}', Math.min(left, pageLength), formatNumber(all.length, locale));
  const show = (): void => {
    update(all.slice(0, shownLength));
    const left = all.length - shownLength;
    button.hidden = left <= 0;
    if (!button.hidden) button.textContent = caption(left);
  };
  holder.append(button);
  return (views) => {
    all = views;
    show();
  };
}

/** The button goes with the last press: the focus goes to the first of what it brought. */
function focusOn(first: Element | null | undefined): void {
  if (!(first instanceof HTMLElement)) return;
  first.tabIndex = -1;
  first.focus();
}
