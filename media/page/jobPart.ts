import { t } from '@vscode/l10n';
import type { JobView, ViewSection, ViewTimeline } from '../../src/domain/jobView/jobView.ts';
import { CopyButtons } from './copyButtons.ts';
import { element, setText } from './element.ts';
import { wordButton } from './iconButton.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { sectionPart } from './sectionPart.ts';
import { statusPart } from './statusPart.ts';
import { timelinePart } from './timelinePart.ts';

/** The part of a job, which also answers its copy buttons. */
export interface JobPart extends Part<JobView> {
  /** The editor has copied. */
  copied(what: string): void;
}

/** One job: heading, what can be done with it, its time line, its sections. */
export function jobPart(first: JobView, context: PageContext): JobPart {
  let shown = first;
  const copies = new CopyButtons(context);
  const title = element('bdi');
  const status = statusPart(first.status);
  const kind = element('bdi');
  const line = element('div', { class: 'timeline-holder' });
  const updateLine = partList<ViewTimeline>(
    line,
    () => 'line',
    (view) => timelinePart(view, context),
  );
  const sections = element('div', { class: 'sections' });
  const updateSections = partList<ViewSection>(
    sections,
    ({ id }) => id,
    (section) => sectionPart(section, context, copies),
  );
  const update = (view: JobView): void => {
    if (view.status.text !== shown.status.text) context.announce(t('Status: {0}', view.status.text));
    shown = view;
    setText(title, view.title);
    status.update(view.status);
    setText(kind, view.kind);
    updateLine(view.timeline === undefined ? [] : [view.timeline]);
    updateSections(view.sections);
  };
  update(first);
  const header = element(
    'header',
    {},
    element('h1', {}, title),
    element('p', { class: 'facts' }, status.element, kind),
    element(
      'div',
      { class: 'actions' },
      wordButton('json', t('Open as JSON'), () => context.send({ type: 'openJson' })),
      copies.add(
        'json',
        wordButton('copy', t('Copy as JSON'), () => copies.ask('json')),
      ),
      copies.add(
        'curl',
        wordButton('terminal', t('Copy as cURL (sh)'), () => copies.ask('curl')),
      ),
    ),
    line,
  );
  return {
    element: element('div', { class: 'job' }, header, sections),
    update,
    copied: (what) => copies.confirm(what),
  };
}
