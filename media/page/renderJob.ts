import { t } from '@vscode/l10n';
import { repeat } from 'lit/directives/repeat.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { formatDuration } from '../../src/base/duration.ts';
import type { JobView, ViewMoment, ViewTimeline } from '../../src/features/details/common/jobView.ts';
import type { AbsentView, PageToHost } from '../../src/features/details/common/protocol.ts';
import { keepCurrent } from './keepCurrent.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton, renderCopyButton, type ButtonFace } from './renderButton.ts';
import { renderNotes, renderSection } from './renderSection.ts';
import { renderStatus } from './renderValue.ts';
import { renderTranscript, renderTranscriptLink } from './renderTranscript.ts';

type OfferedAction = Extract<
  PageToHost['type'],
  | 'openAudio'
  | 'watch'
  | 'saveWhenDone'
  | 'openRequest'
  | 'showFiles'
  | 'newRequest'
  | 'retry'
  | 'resubmit'
  | 'markHandled'
  | 'mute'
>;

/** Renders a job: heading, actions, timeline and sections. */
export function renderJob(view: JobView, page: PageContext): TemplateResult {
  const { title, status, reason, kind, timeline, warnings, sections, transcript } = view;
  const { canRetry, canResubmit, hasFailed, hasAudio, canWatch, canRepeat, isSubmitted, hasFiles, canLink } = view;
  const offer = (isOffered: boolean, face: ButtonFace, type: OfferedAction): TemplateResult | typeof nothing =>
    isOffered ? renderButton(face, () => page.send({ type })) : nothing;
  return html`<div class="job">
    <header>
      <h1><bdi>${title}</bdi></h1>
      <p class="facts">
        ${renderStatus(status)}${reason === undefined ? nothing : html`<bdi class="reason">${reason}</bdi>`}<bdi
          >${kind}</bdi
        >
      </p>
      <div class="actions">
        ${renderButton({ icon: 'json', label: t('Open as JSON') }, () => page.send({ type: 'openJson' }))}
        ${renderCopyButton('json', { icon: 'copy', label: t('Copy as JSON') }, page)}
        ${canLink ? renderCopyButton('link', { icon: 'link', label: t('Copy Link') }, page) : nothing}
        ${renderCopyButton('curl', { icon: 'terminal', label: t('Copy List Request as cURL (sh)') }, page)}
        ${offer(hasAudio, { icon: 'external', label: t('Open Audio in Browser') }, 'openAudio')}
        ${offer(canWatch, { icon: 'eye', label: t('Watch Until It Finishes') }, 'watch')}
        ${offer(canWatch, { icon: 'save', label: t('Save Results When Done…') }, 'saveWhenDone')}
        ${offer(isSubmitted, { icon: 'file', label: t('Open Request File') }, 'openRequest')}
        ${offer(hasFiles, { icon: 'save', label: t('Show Saved Files') }, 'showFiles')}
        ${offer(canRepeat, { icon: 'repeat', label: t('New Request with the Same Settings') }, 'newRequest')}
        ${offer(canResubmit, { icon: 'again', label: t('Resubmit…') }, 'resubmit')}
        ${offer(hasFailed, { icon: 'check', label: t('Mark as Handled') }, 'markHandled')}
        ${offer(hasFailed, { icon: 'mute', label: t('Mute for…') }, 'mute')}
        ${offer(canRetry, { icon: 'edit', label: t('Retry with Other Settings') }, 'retry')}
        ${transcript === undefined ? nothing : renderTranscriptLink()}
      </div>
      ${warnings.length === 0 ? nothing : renderNotes(warnings)}
      ${timeline === undefined ? nothing : renderTimeline(timeline, page)}
    </header>
    <div class="sections">
      ${repeat(
        sections,
        ({ id }) => id,
        (section) => renderSection(section, page),
      )}
      ${transcript === undefined ? nothing : renderTranscript(transcript, page)}
    </div>
  </div>`;
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

/** Renders creation, duration and completion on a line. The overview has the same facts as text. */
function renderTimeline(timeline: ViewTimeline, { locale }: PageContext): TemplateResult {
  const { created, completed, duration, running } = timeline;
  const soFar = (): string => {
    const elapsedMs = Math.floor(Math.max(0, Date.now() - created.atMs) / 1000) * 1000;
    return t('{0} so far', formatDuration(elapsedMs, locale));
  };
  const words = running ? keepCurrent(soFar) : duration;
  return html`<div class="timeline-holder">
    <ol class=${running ? 'timeline running' : 'timeline'}>
      ${renderPoint(t('Created'), created)} ${words === undefined ? nothing : html`<li class="length">${words}</li>`}
      ${completed === undefined ? nothing : renderPoint(t('Completed'), completed)}
    </ol>
  </div>`;
}

function renderPoint(label: string, { iso, absolute }: ViewMoment): TemplateResult {
  return html`<li class="point"><span class="dim">${label}</span><time datetime=${iso}>${absolute}</time></li>`;
}
