import { t } from '@vscode/l10n';
import type { ComparedSession, ComparisonGroup, ComparisonView } from '../../src/domain/jobView/comparison.ts';
import { comparisonGroupPart } from './comparisonGroupPart.ts';
import { element, setText } from './element.ts';
import { wordButton } from './iconButton.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { statusPart } from './statusPart.ts';
import { momentPart } from './valuePart.ts';

/** What the page of a comparison shows. */
export interface Comparison {
  readonly view: ComparisonView;
  /** There are exactly two, which the editor can show as a difference of texts. */
  readonly diffOffered: boolean;
}

/** Sessions side by side. What all have in common is folded away and stated once. */
export function comparisonPart(first: Comparison, context: PageContext): Part<Comparison> {
  const title = element('h1');
  const summary = element('p', { class: 'dim' });
  const diff = wordButton('diff', t('Compare as JSON'), () => context.send({ type: 'openDiff' }));
  const corner = element('th', { text: t('Parameter'), attributes: { scope: 'col' } });
  const heads = element('tr', {}, corner);
  const sessions = partList<ComparedSession>(
    heads,
    ({ id }, index) => `${index}:${id}`,
    (session, index) => sessionHead(session, index, context),
    corner,
  );
  const head = element('thead', {}, heads);
  const table = element('table', { class: 'comparison' }, head);
  const groups = partList<ComparisonGroup>(
    table,
    ({ id }) => id,
    (group) => comparisonGroupPart(group, first.view.sessions.length, context),
    head,
  );
  const update = ({ view, diffOffered }: Comparison): void => {
    setText(title, view.title);
    setText(summary, view.summary);
    diff.hidden = !diffOffered;
    sessions(view.sessions);
    groups(view.groups);
  };
  update(first);
  return {
    element: element(
      'div',
      { class: 'compare' },
      element('header', {}, title, summary, element('div', { class: 'actions' }, diff)),
      element(
        'div',
        { class: 'scroller', attributes: { tabindex: '0', role: 'region', 'aria-label': t('Parameters') } },
        table,
      ),
    ),
    update,
  };
}

function sessionHead(first: ComparedSession, index: number, context: PageContext): Part<ComparedSession> {
  const name = element('bdi');
  const button = element(
    'button',
    {
      class: 'link',
      attributes: { type: 'button' },
      onClick: () => context.send({ type: 'openSession', index }),
    },
    name,
  );
  const status = statusPart(first.status);
  const created = element('div', { class: 'created' });
  const moment = partList<NonNullable<ComparedSession['created']>>(
    created,
    () => 'moment',
    (view) => momentPart(view, context),
  );
  const update = (session: ComparedSession): void => {
    setText(name, session.title);
    button.title = session.id;
    status.update(session.status);
    moment(session.created === undefined ? [] : [session.created]);
  };
  update(first);
  return { element: element('th', { attributes: { scope: 'col' } }, button, status.element, created), update };
}
