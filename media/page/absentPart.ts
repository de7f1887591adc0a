import { t } from '@vscode/l10n';
import type { AbsentView } from '../../src/domain/protocol.ts';
import { element, setText } from './element.ts';
import { wordButton } from './iconButton.ts';
import type { PageContext } from './pageContext.ts';
import type { Part } from './part.ts';

/** What stands in place of a job that is not loaded: why, and a search for it. */
export function absentPart(first: AbsentView, { send }: PageContext): Part<AbsentView> {
  const title = element('bdi');
  const words = element('p', { attributes: { role: 'status' } });
  const search = wordButton('search', t('Search for it'), () => send({ type: 'search' }));
  const cancel = element('button', {
    class: 'word-button',
    text: t('Cancel'),
    attributes: { type: 'button' },
    onClick: () => send({ type: 'cancelSearch' }),
  });
  const update = (view: AbsentView): void => {
    const focused = document.activeElement === search || document.activeElement === cancel;
    setText(title, view.title);
    setText(words, view.text);
    search.hidden = view.search !== 'offered';
    cancel.hidden = view.search !== 'running';
    if (focused) (search.hidden ? cancel : search).focus();
  };
  update(first);
  return {
    element: element(
      'div',
      { class: 'absent' },
      element('h1', {}, title),
      words,
      element('div', { class: 'actions' }, search, cancel),
    ),
    update,
  };
}
