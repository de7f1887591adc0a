import { t } from '@vscode/l10n';
import { formatDuration } from '../../src/domain/format.ts';
import type { ViewMoment, ViewTimeline } from '../../src/domain/jobView/jobView.ts';
import { element, setText } from './element.ts';
import type { PageContext } from './pageContext.ts';
import type { Part } from './part.ts';

/** Created, how long it took, completed: as points on a line. What it shows, the overview says in words too. */
export function timelinePart(first: ViewTimeline, { ticker, locale }: PageContext): Part<ViewTimeline> {
  let timeline = first;
  const created = pointPart(t('Created'));
  const completed = pointPart(t('Completed'));
  const length = element('li', { class: 'length' });
  const list = element('ol', { class: 'timeline' }, created.element, length, completed.element);
  const refresh = (): void => {
    const { duration, running } = timeline;
    const soFarMs = Math.floor(Math.max(0, Date.now() - timeline.created.atMs) / 1000) * 1000;
    setText(length, running ? t('{0} so far', formatDuration(soFarMs, locale)) : (duration ?? ''));
  };
  const update = (next: ViewTimeline): void => {
    timeline = next;
    list.className = next.running ? 'timeline running' : 'timeline';
    created.update(next.created);
    completed.update(next.completed);
    completed.element.hidden = next.completed === undefined;
    length.hidden = next.duration === undefined && !next.running;
    refresh();
  };
  update(first);
  ticker.watch(length, refresh);
  return { element: list, update };
}

function pointPart(label: string): Part<ViewMoment | undefined> {
  const time = element('time');
  return {
    element: element('li', { class: 'point' }, element('span', { class: 'dim', text: label }), time),
    update: (moment) => {
      time.dateTime = moment?.iso ?? '';
      setText(time, moment?.absolute ?? '');
    },
  };
}
