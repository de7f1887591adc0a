import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { formatDuration } from '../../src/base/duration.ts';
import type { JobView, ViewSection, ViewTimeline } from '../../src/features/details/common/jobView.ts';
import type { AbsentView, PageToHost } from '../../src/features/details/common/protocol.ts';
import { keepCurrent } from './keepCurrent.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton, renderCopyButton, renderFoldButton, type ButtonFace } from './renderButton.ts';
import { renderFold, renderNotes, renderPart } from './renderSection.ts';
import { renderStatus } from './renderValue.ts';
import { renderTranscript } from './renderTranscript.ts';

/** Maximum number of buttons below the title; the others are under More. */
const maxButtons = 5;
const morePath = 'actions/more';

/** Renders a job in the order of a reader's questions: what it is, its state, what went wrong, facts, actions, sections. */
export function renderJob(view: JobView, page: PageContext): TemplateResult {
  const { title, status, reason, kind, timeline, warnings, sections, transcript } = view;
  return html`<div class="job">
    <header>
      <h1><bdi>${title}</bdi></h1>
      <p class="facts">
        ${renderStatus(status)}${reason === undefined ? nothing : html`<bdi class="reason">${reason}</bdi>`}<bdi>${kind}</bdi>${timeline === undefined ? nothing : renderTime(timeline)}
      </p>
      ${warnings.length === 0 ? nothing : renderNotes(warnings)} ${renderFacts(view, page)}
      <div class="actions">${renderActions(view, page)}</div>
    </header>
    <div class="sections">
      ${
        transcript === undefined
          ? nothing
          : renderFold({ id: 'transcript', title: t('Transcript') }, view, page, () =>
              renderTranscript(transcript, page),
            )
      }
      ${repeat(
        sections,
        ({ id }) => id,
        (section) => renderFold(section, view, page, () => renderContent(section, view, page)),
      )}
    </div>
  </div>`;
}

function renderContent({ id, parts }: ViewSection, { canLink }: JobView, page: PageContext): TemplateResult {
  const buttons = (): TemplateResult =>
    html`<div class="actions">
      ${renderButton({ icon: 'json', label: t('Open as JSON') }, () => page.send({ type: 'openJson' }))}
      ${renderCopyButton('json', { icon: 'copy', label: t('Copy as JSON') }, page)}
      ${canLink ? renderCopyButton('link', { icon: 'link', label: t('Copy Link') }, page) : nothing}
      ${renderCopyButton('curl', { icon: 'terminal', label: t('Copy List Request as cURL (sh)') }, page)}
    </div>`;
  return html`${id === 'raw' ? buttons() : nothing}${repeat(
    parts,
    (part) => part.id,
    (part) => renderPart(part, page),
  )}`;
}

type OfferedAction = Extract<
  PageToHost['type'],
  | 'saveTranscript'
  | 'openAudio'
  | 'watch'
  | 'saveWhenDone'
  | 'openRequest'
  | 'showFiles'
  | 'newRequest'
  | 'retry'
  | 'resubmit'
  | 'openResubmitted'
  | 'markHandled'
  | 'mute'
>;

/** Renders the first actions as buttons, and one that shows the others. */
function renderActions(view: JobView, page: PageContext): readonly unknown[] {
  const { canSave, canRetry, canResubmit, isResubmitted, hasFailed, canMarkHandled, hasAudio } = view;
  const { canWatch, canRepeat, isSubmitted, hasFiles } = view;
  const offer = (isOffered: boolean, face: ButtonFace, type: OfferedAction): readonly TemplateResult[] =>
    isOffered ? [renderButton(face, () => page.send({ type }))] : [];
  const buttons = [
    ...offer(canSave, { icon: 'save', label: t('Save Transcript…') }, 'saveTranscript'),
    ...offer(hasFiles, { icon: 'file', label: t('Show Saved Files') }, 'showFiles'),
    ...offer(canResubmit, { icon: 'again', label: t('Resubmit…') }, 'resubmit'),
    ...offer(isResubmitted, { icon: 'repeat', label: t('Open New Job') }, 'openResubmitted'),
    ...offer(canRetry, { icon: 'edit', label: t('Retry with Other Settings') }, 'retry'),
    ...offer(canMarkHandled, { icon: 'check', label: t('Mark as Handled') }, 'markHandled'),
    ...offer(hasFailed, { icon: 'mute', label: t('Mute for…') }, 'mute'),
    ...offer(canWatch, { icon: 'save', label: t('Save Results When Done…') }, 'saveWhenDone'),
    ...offer(canWatch, { icon: 'eye', label: t('Watch Until It Finishes') }, 'watch'),
    ...offer(hasAudio, { icon: 'external', label: t('Open Audio in Browser') }, 'openAudio'),
    ...offer(canRepeat, { icon: 'repeat', label: t('New Request with the Same Settings') }, 'newRequest'),
    ...offer(isSubmitted, { icon: 'file', label: t('Open Request File') }, 'openRequest'),
  ];
  const others = buttons.slice(maxButtons);
  if (others.length === 0) return buttons;
  const more = renderFoldButton(t('More'), morePath, page, {});
  return [...buttons.slice(0, maxButtons), more, ...(page.unfolding.isOpen(morePath) ? others : [])];
}

/** Renders the page of a job that is not loaded: the reason, and a button that searches for it. */
export function renderAbsent({ title, text, search }: AbsentView, { send }: PageContext): TemplateResult {
  // Both states use the same element, so that it keeps the focus.
  const button = {
    offered: () => renderButton({ icon: 'search', label: t('Search') }, () => send({ type: 'search' })),
    running: () => renderButton({ label: t('Cancel') }, () => send({ type: 'cancelSearch' })),
    none: () => nothing,
  }[search];
  return html`<div class="absent">
    <h1><bdi>${title}</bdi></h1>
    <p role="status">${text}</p>
    <div class="actions">${button()}</div>
  </div>`;
}

function renderTime({ created: { iso, absolute } }: ViewTimeline): TemplateResult {
  return html`<span class="created"
    ><span class="dim">${t('Created')}</span> <time datetime=${iso}>${absolute}</time></span
  >`;
}

/** Renders the facts on one line, with the time so far of an unfinished job. */
function renderFacts({ facts, timeline }: JobView, { locale }: PageContext): TemplateResult | typeof nothing {
  const running = timeline?.running === true ? timeline.created.atMs : undefined;
  if (facts.length === 0 && running === undefined) return nothing;
  const soFar = (fromMs: number): string => {
    const elapsedMs = Math.floor(Math.max(0, Date.now() - fromMs) / 1000) * 1000;
    return t('{0} so far', formatDuration(elapsedMs, locale));
  };
  return html`<ul class="line-of-facts">
    ${facts.map((fact) => html`<li><bdi>${fact}</bdi></li>`)}${
      running === undefined ? nothing : html`<li>${keepCurrent(() => soFar(running))}</li>`
    }
  </ul>`;
}
