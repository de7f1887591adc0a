import { t } from '@vscode/l10n';
import { classMap } from 'lit/directives/class-map.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { formatNumber } from '../../src/base/format.ts';
import {
  findInTranscript,
  writeViewTranscript,
  writeViewTurn,
  type TranscriptHit,
  type TranscriptLine,
  type TranscriptView,
} from '../../src/jobs/common/result/transcriptView.ts';
import { drawGradually } from './drawGradually.ts';
import type { PageContext } from './pageContext.ts';
import { renderButton } from './renderButton.ts';
import { renderIcon } from './renderIcon.ts';
import { turnName, turnTools } from './turnTools.ts';

/** Number of lines that are rendered together, and skipped together while they are far from the viewport. */
const blockLength = 60;
/** Number of lines within a block that are laid out together: few, so that scrolling lays out little at a time. */
const partLength = 15;
/** Maximum number of search hits to highlight at once, because more would delay rendering: those around the current hit. */
const maxMarks = 1000;
const confidencePath = 'transcript/confidence';
const translationPath = (place: number): string => `transcript/translation/${place}`;

/** Renders a transcript of any length: search, copy, and all of its lines. */
export function renderTranscript(view: TranscriptView, page: PageContext): TemplateResult {
  const besides = shownTranslations(view, page);
  const hits = page.search.hitsIn(view, besides);
  const { current } = page.search;
  const marked = hits.slice(Math.max(0, current - maxMarks / 2), current + maxMarks / 2);
  const blocks = Math.ceil(view.lines.length / blockLength);
  const shown = hits[current];
  const speakers = firstTurns(view);
  const atLeast = shown === undefined ? 1 : Math.floor(shown.line / blockLength) + 1;
  const isLong = view.lines.some(({ time = '' }) => time.length > '00:00'.length);
  return html`${renderTools(view, hits, page)}
    <div class=${classMap({ transcript: true, wide: besides.length > 0, hours: isLong })}>
      ${drawGradually(blocks, atLeast, (block) => renderBlock(view, block, { marked, shown, besides, speakers }, page))}
      ${turnTools(view, page)}
    </div>`;
}

function renderTools(view: TranscriptView, hits: readonly TranscriptHit[], page: PageContext): TemplateResult {
  return html`<div class="transcript-tools" role="search">
    ${renderSearch(hits, page)} ${renderCopying(view, hits, page)} ${renderToggles(view, page)}
  </div>`;
}

function renderSearch(hits: readonly TranscriptHit[], { search, locale }: PageContext): TemplateResult {
  const find = (query: string): void => {
    search.ask(query);
    showCurrent();
  };
  const step = (by: 1 | -1): void => {
    search.step(by, hits.length);
    showCurrent();
  };
  const type = ({ currentTarget }: Event): void => {
    if (currentTarget instanceof HTMLInputElement) find(currentTarget.value);
  };
  const press = ({ key, shiftKey }: KeyboardEvent): void => {
    if (key === 'Enter') step(shiftKey ? -1 : 1);
    if (key === 'Escape') find('');
  };
  const count =
    hits.length === 0
      ? t('No hits')
      : t('{0} of {1}', formatNumber(search.current + 1, locale), formatNumber(hits.length, locale));
  const label = t('Find in transcript');
  return html`<input
      type="search"
      aria-label=${label}
      placeholder=${label}
      .value=${live(search.query)}
      @input=${type}
      @keydown=${press}
    />
    ${
      hits.length === 0
        ? nothing
        : html`${renderButton({ icon: 'previous', label: t('Previous hit'), iconOnly: true }, () => step(-1))}
          ${renderButton({ icon: 'next', label: t('Next hit'), iconOnly: true }, () => step(1))}`
    }
    <span class="hits dim" role="status">${search.query.trim() === '' ? '' : count}</span>`;
}

function renderCopying(
  view: TranscriptView,
  hits: readonly TranscriptHit[],
  { search, copied, send }: PageContext,
): TemplateResult {
  const copy = (what: string, label: string, write: () => string): TemplateResult =>
    renderButton({ icon: copied.has(what) ? 'check' : 'copy', label }, () =>
      send({ type: 'copyText', what, text: write() }),
    );
  const current = hits[search.current];
  const first = current === undefined ? undefined : turnAt(view, current.line);
  return html`${first === undefined ? nothing : copy(turnName(first), t('Copy turn'), () => writeViewTurn(view, first))}
  ${copy('transcript', t('Copy transcript'), () => writeViewTranscript(view))}`;
}

/** Renders a switch for the confidence, and one for each translation. */
function renderToggles(view: TranscriptView, { unfolding }: PageContext): TemplateResult {
  const toggle = (path: string, label: unknown): TemplateResult => {
    const isOn = unfolding.isOpen(path);
    return html`<button
      class="word-button"
      type="button"
      aria-pressed=${String(isOn)}
      @click=${() => unfolding.toggle(path)}
    >
      ${renderIcon(isOn ? 'on' : 'off')}${label}
    </button>`;
  };
  // Languages differ in the spaces before a colon.
  const [before = '', after = ''] = t('{0}: {1}', t('Translation'), '\n').split('\n');
  const hasConfidence = view.lines.some(({ confidence }) => confidence !== undefined);
  return html`${hasConfidence ? toggle(confidencePath, t('Confidence')) : nothing}
  ${view.languages.map((language, place) =>
    toggle(
      translationPath(place),
      language === '' ? t('Translation') : html`<span>${before}<bdi>${language}</bdi>${after}</span>`,
    ),
  )}`;
}

/** Returns the indices of the translations beside the original. */
function shownTranslations(view: TranscriptView, { unfolding }: PageContext): readonly number[] {
  return [...view.languages.keys()].filter((place) => unfolding.isOpen(translationPath(place)));
}

/** Searches the transcript, then its translations, for the first of the given texts that occurs there, and scrolls to it. */
export function findInPage(view: TranscriptView, texts: readonly string[], { search, unfolding }: PageContext): void {
  for (const text of texts) {
    const hits = findInTranscript(view, text, [...view.languages.keys()]);
    if (hits.length === 0) continue;
    const place = hits.some((hit) => hit.place === undefined) ? undefined : hits[0]?.place;
    if (place !== undefined && !unfolding.isOpen(translationPath(place))) unfolding.toggle(translationPath(place));
    search.ask(text);
    showCurrent();
    return;
  }
}

function showCurrent(): void {
  document.querySelector('mark.current')?.scrollIntoView({ block: 'center' });
}

/** Search hits near the current one, the current one, the translations beside the original, and the first turns of speakers. */
interface ShownHits {
  readonly marked: readonly TranscriptHit[];
  readonly shown: TranscriptHit | undefined;
  readonly besides: readonly number[];
  readonly speakers: ReadonlySet<number>;
}

function renderBlock(
  view: TranscriptView,
  block: number,
  { marked, shown, besides, speakers }: ShownHits,
  page: PageContext,
): unknown {
  const from = block * blockLength;
  const isHere = (line: number): boolean => line >= from && line < from + blockLength;
  const hits = marked.filter(({ line }) => isHere(line));
  const current = shown !== undefined && isHere(shown.line) ? shown : undefined;
  const withConfidence = page.unfolding.isOpen(confidencePath);
  const key = hits.map(({ line, place = '', start, end }) => `${line}:${place}:${start}:${end}`).join(' ');
  const lines = (): TemplateResult => {
    const drawn = view.lines.slice(from, from + blockLength).map((line, index) => {
      const own = hits.filter((hit) => hit.line === from + index);
      const name = renderSpeaker(line, speakers.has(from + index), page);
      const textAt = (place?: number): unknown => {
        const text = place === undefined ? line.text : (line.translations[place] ?? '');
        return markText(
          text,
          own.filter((hit) => hit.place === place),
          current,
        );
      };
      return renderLine(line, from + index, textAt, withConfidence, besides, name, page);
    });
    if (view.lines.length <= blockLength) return html`<div>${drawn}</div>`;
    const starts = Array.from({ length: Math.ceil(drawn.length / partLength) }, (_, part) => part * partLength);
    return html`<div class="block">
      ${starts.map((start) => html`<div class="part">${drawn.slice(start, start + partLength)}</div>`)}
    </div>`;
  };
  return guard([view, key, current, withConfidence, besides.join(' ')], lines);
}

/**
 * Renders a line: "00:12 · Speaker 1 (en) · text"; within a turn "00:19 · text".
 * @param textAt renders the text, or that of a translation.
 */
function renderLine(
  { time, label, confidence }: TranscriptLine,
  index: number,
  textAt: (place?: number) => unknown,
  withConfidence: boolean,
  besides: readonly number[],
  name: unknown,
  { locale }: PageContext,
): TemplateResult {
  const percent = new Intl.NumberFormat(locale.language, { style: 'percent' });
  const head = [
    time === undefined ? nothing : html`<time>${time}</time> · `,
    label === undefined || label === '' ? nothing : html`${name} · `,
  ];
  const sure =
    withConfidence && confidence !== undefined
      ? html` <span class="dim">${percent.format(confidence)}</span>`
      : nothing;
  const said = html`${head}<bdi class="said">${textAt()}</bdi>${sure}`;
  if (besides.length > 0) {
    const others = besides.map((place) => html`<bdi class="said">${textAt(place)}</bdi>`);
    const turn = label === undefined ? '' : 'turn';
    return html`<p class="line beside ${turn}" data-line=${index}><span>${said}</span>${others}</p>`;
  }
  return label === undefined
    ? html`<p class="line">${said}</p>`
    : html`<p class="line turn" data-line=${index}>${said}</p>`;
}

/**
 * Renders the label of a turn, which prompts for the name of its speaker. Only the first turn of each speaker has a button, so that Tab stops
 * there once; `turnTools` does the same for clicks on the others.
 */
function renderSpeaker(
  { label = '', speaker }: TranscriptLine,
  isFirst: boolean,
  { send }: PageContext,
): TemplateResult {
  if (speaker === undefined) return html`<bdi class="speaker">${label}</bdi>`;
  if (!isFirst) return html`<bdi class="speaker named" title=${t('Rename speaker')}>${label}</bdi>`;
  return html`<button
    class="speaker named"
    type="button"
    title=${t('Rename speaker')}
    aria-label=${t('Rename speaker: {0}', label)}
    @click=${() => send({ type: 'renameSpeaker', speaker })}
  >
    <bdi>${label}</bdi>
  </button>`;
}

/** Returns the lines in which speakers speak for the first time. */
function firstTurns({ lines }: TranscriptView): ReadonlySet<number> {
  const firsts = new Map<string, number>();
  for (const [index, { speaker }] of lines.entries()) {
    if (speaker !== undefined && !firsts.has(speaker)) firsts.set(speaker, index);
  }
  return new Set(firsts.values());
}

/** Renders a text with its search hits highlighted. */
function markText(text: string, hits: readonly TranscriptHit[], current: TranscriptHit | undefined): unknown {
  if (hits.length === 0) return text;
  const last = hits.at(-1)?.end ?? 0;
  const pieces = hits.map((hit, index) => {
    const mark = html`<mark class=${hit === current ? 'current' : ''}>${text.slice(hit.start, hit.end)}</mark>`;
    return html`${text.slice(hits[index - 1]?.end ?? 0, hit.start)}${mark}`;
  });
  return html`${pieces}${text.slice(last)}`;
}

/** Returns the first line of the turn that a line belongs to. */
function turnAt({ lines }: TranscriptView, line: number): number {
  return Math.max(
    0,
    lines.findLastIndex(({ label }, index) => index <= line && label !== undefined),
  );
}
