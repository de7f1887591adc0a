import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { BoardFinding, BoardToHost, HostToBoard, ShownView } from '../../src/domain/board/boardProtocol.ts';
import {
  describeBasis,
  describeCommonCode,
  describeCondition,
  describeDifference,
  describeNoDifference,
  describeNoStart,
  describeTimes,
  describeUnasked,
  formatFigure,
  formatPeriod,
  formatShare,
  formatTook,
  mayBeMore,
  timeFormat,
} from '../../src/domain/board/boardText.ts';
import type { FacetCondition, TimeRange } from '../../src/domain/board/boardView.ts';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { oneLine } from '../../src/domain/outsideText.ts';
import { renderButton } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';

type Share = NonNullable<BoardFinding['onset']>['inside'];
type Scope = Extract<HostToBoard, { type: 'scope' }>;
type Progress = Extract<HostToBoard, { type: 'progress' }>;
type Send = (message: BoardToHost) => void;

const presetHours = [24, 7 * 24, 30 * 24, 90 * 24] as const;

/** The title, the window of time, and the filter. */
export function renderScope({ title, filterText, isFiltered, hours, isOther }: Scope, send: Send): TemplateResult {
  const name = (each: number): string => (each === 24 ? t('24 hours') : t('{0} days', each / 24));
  return html`<header class="board-head">
    <h1>${t('Board')} <bdi class="dim">${title}</bdi></h1>
    <div class="windows" role="group" aria-label=${t('Time range')}>
      ${presetHours.map(
        (each) =>
          html`<button
            type="button"
            class="toggle"
            aria-pressed=${String(hours === each)}
            @click=${() => send({ type: 'window', hours: each })}
          >
            ${name(each)}
          </button>`,
      )}
      <button
        type="button"
        class="toggle"
        aria-pressed=${String(hours === undefined || !presetHours.some((each) => each === hours))}
        @click=${() => send({ type: 'customWindow' })}
      >
        ${t('Custom…')}
      </button>
    </div>
    <p class="filter-text"><span class="dim">${t('Jobs:')}</span> <bdi>${filterText}</bdi></p>
    ${isFiltered ? renderButton({ label: t('Clear Filter') }, () => send({ type: 'clearFilter' })) : nothing}
    ${renderButton({ icon: 'edit', label: t("Use the View's Filter") }, () => send({ type: 'takeFilter' }))}
    ${isOther ? html`<p class="notice">${renderIcon('note')}${t('Another connection is now in use.')}</p>` : nothing}
  </header>`;
}

/** What is being read, with a way to stop it. @param earlier see {@link renderEarlier} */
export function renderProgress(
  { phase, jobs, requests, isSlowed }: Progress,
  earlier: unknown,
  send: Send,
  locale: Locale,
): TemplateResult {
  const [read, asked] = [formatNumber(jobs, locale), formatNumber(requests, locale)];
  const texts: Readonly<Record<Progress['phase'], string>> = {
    reading: t('Reading: {0} jobs, {1} requests', read, asked),
    sampling: t('Sampling: {0} jobs, {1} requests', read, asked),
    counting: t('Counting by time: {0} ranges, {1} requests', read, asked),
    confirming: t('Counting: {0} requests', asked),
  };
  return html`<div class="basis">
    <span class="status tone-processing">${renderIcon('processing')}${texts[phase]}</span>
    ${isSlowed ? html`<span class="dim">${slowedText()}</span>` : nothing}
    ${renderButton({ label: t('Cancel') }, () => send({ type: 'cancel' }))}${earlier}
  </div>`;
}

/** What the figures rest on that are shown while others are read, or after that failed. */
export function renderEarlier(view: ShownView, locale: Locale): TemplateResult {
  return html`<span class="dim">${describeBasis(view, readAt(view, locale), locale)}</span>`;
}

function readAt({ atMs }: ShownView, locale: Locale): string {
  return timeFormat(locale, { timeStyle: 'short' }).format(atMs);
}

/** What the figures rest on, and how to have them anew or exactly. */
export function renderBasis(view: ShownView, send: Send, locale: Locale): TemplateResult {
  const { basis, exactRequests, unreadable, contradicting, omittedKeys, error, isSlowed } = view;
  const isSure = basis.type === 'complete';
  const remarks = [
    error,
    isSlowed ? slowedText() : undefined,
    unreadable > 0 ? t('{0} items without an ID are left out', formatNumber(unreadable, locale)) : undefined,
    contradicting > 0
      ? t("{0} jobs that don't match the request are left out", formatNumber(contradicting, locale))
      : undefined,
    omittedKeys > 0 ? t('{0} keys have no column', formatNumber(omittedKeys, locale)) : undefined,
  ].filter((each) => each !== undefined);
  return html`<div class="basis">
    <span class="status ${isSure ? 'tone-done' : 'tone-queued'}"
      >${renderIcon(isSure ? 'done' : 'unknown')}${describeBasis(view, readAt(view, locale), locale)}</span
    >
    ${remarks.map((each) => html`<span class="dim">${each}</span>`)}
    ${renderButton({ label: t('Read Again') }, () => send({ type: 'read', exactly: false }))}
    ${
      basis.type === 'sampled' || basis.type === 'unsampled'
        ? renderButton({ label: t('Read All Jobs ({0} requests)', formatNumber(exactRequests, locale)) }, () =>
            send({ type: 'read', exactly: true }),
          )
        : nothing
    }
  </div>`;
}

function slowedText(): string {
  return t('The service asked to slow down');
}

/** The figures of all jobs that pass. */
export function renderFigures({ matching, failed, times, basis }: ShownView, locale: Locale): TemplateResult {
  const took = (ms: number | undefined): string => (ms === undefined ? '–' : formatTook(ms, locale));
  const isSample = basis.type === 'sampled';
  const share = (hits: number): string => formatShare({ hits, of: matching.count }, locale);
  const shareInterval = isSample ? ` (${share(failed.low)}–${share(failed.high)})` : '';
  const interval =
    isSample && times.p95LowMs !== undefined && times.p95HighMs !== undefined
      ? ` (${took(times.p95LowMs)}–${took(times.p95HighMs)})`
      : '';
  const { median, note } = describeTimes(times.timed);
  const figures: readonly (readonly [string, string])[] = [
    [t('Jobs'), formatFigure(matching, locale, mayBeMore(basis))],
    [t('Failure rate'), `${share(failed.count)}${shareInterval}`],
    [median, took(times.p50Ms)],
    [t('95th percentile'), `${took(times.p95Ms)}${interval}`],
  ];
  return html`<dl class="figures">
      ${figures.map(
        ([name, value]) =>
          html`<div>
            <dt>${name}</dt>
            <dd>${value}</dd>
          </div>`,
      )}
    </dl>
    ${note === undefined ? nothing : html`<p class="dim figures-note">${note}</p>`}`;
}

/** What narrows the rows down, each with a way to lift it, and what can be done with it. */
export function renderConditions(
  { conditions, range, canFilter, unasked }: ShownView,
  lift: (conditions: readonly FacetCondition[], range: TimeRange | undefined) => void,
  send: Send,
  locale: Locale,
): TemplateResult {
  const chips = conditions.map((each) => ({
    text: describeCondition(each),
    remove: () =>
      lift(
        conditions.filter((other) => other !== each),
        range,
      ),
  }));
  if (range !== undefined) {
    chips.push({ text: formatPeriod(range, 'short', locale), remove: () => lift(conditions, undefined) });
  }
  if (chips.length === 0) return html``;
  const note = describeUnasked({ canFilter, unasked }, locale);
  return html`<div class="conditions">
    ${chips.map(
      ({ text, remove }) =>
        html`<button type="button" class="chip" aria-label=${t('Remove {0}', text)} @click=${remove}>
          <bdi>${text}</bdi>${renderIcon('error')}
        </button>`,
    )}
    ${renderButton({ label: t('Clear') }, () => lift([], undefined))}
    ${
      canFilter
        ? renderUseAsFilter(note === undefined ? undefined : 'unasked', () =>
            send({ type: 'useAsFilter', condition: undefined }),
          )
        : nothing
    }
    ${note === undefined ? nothing : html`<span class="dim" id="unasked"><bdi>${note}</bdi></span>`}
  </div>`;
}

/** @param describedBy the id of what says what the filter leaves out */
function renderUseAsFilter(describedBy: string | undefined, press: () => void): TemplateResult {
  return renderButton({ icon: 'lines', label: t('Use as Filter in Jobs View'), describedBy }, press);
}

/** The answer to What Changed? @param isEarlier the board has been narrowed down otherwise since */
export function renderFinding(
  finding: BoardFinding,
  isEarlier: boolean,
  pick: (condition: FacetCondition) => void,
  close: () => void,
  send: Send,
  locale: Locale,
): TemplateResult {
  const { differences, code, isNarrowed, unasked, confirmRequests } = finding;
  const ofSome = { ...finding, isNarrowed: isNarrowed || code !== undefined };
  const canFilter = differences.some((each) => each.canFilter);
  const note = canFilter ? describeUnasked({ canFilter, unasked }, locale) : undefined;
  return html`<section class="finding" aria-label=${t('What changed')}>
    <div class="finding-head">
      <h2 tabindex="-1">${findingTitle(finding, locale)}</h2>
      ${renderButton({ icon: 'error', label: t('Close'), iconOnly: true }, close)}
    </div>
    ${isEarlier ? html`<p class="dim">${t('About the jobs before the conditions were changed.')}</p>` : nothing}
    ${findingLines(finding, locale).map((line) => html`<p>${line}</p>`)}
    ${
      code === undefined
        ? nothing
        : renderButton({ label: t('Show Jobs with This Error Code') }, () =>
            pick({ key: 'error_code', value: code, isExcluded: false }),
          )
    }
    ${
      differences.length === 0
        ? html`<p>${describeNoDifference(finding)}</p>`
        : html`<ol class="differences">
            ${differences.map((each) => {
              const condition = { key: each.key, value: each.value, isExcluded: false };
              return html`<li>
                <bdi>${describeDifference(each, ofSome, locale)}</bdi>
                <span class="dim">${[basisWord(each.basis), ...periodWord(finding, each, locale)].join(' · ')}</span>
                ${renderButton({ label: t('Show Jobs with This Value') }, () => pick(condition))}
                ${
                  each.canFilter
                    ? renderUseAsFilter(note === undefined ? undefined : 'finding-unasked', () =>
                        send({ type: 'useAsFilter', condition }),
                      )
                    : html`<span class="dim">${t("The jobs view can't filter by this value")}</span>`
                }
              </li>`;
            })}
          </ol>`
    }
    ${note === undefined ? nothing : html`<p class="dim" id="finding-unasked"><bdi>${note}</bdi></p>`}
    ${
      confirmRequests === undefined
        ? nothing
        : renderButton(
            { label: t('Confirm by Counting (at most {0} requests)', formatNumber(confirmRequests, locale)) },
            () => send({ type: 'confirm' }),
          )
    }
  </section>`;
}

function basisWord(basis: BoardFinding['differences'][number]['basis']): string {
  switch (basis) {
    case 'counted':
      return t('counted');
    case 'sampled':
      return t('sampled');
    case 'read':
      return t('of the jobs that were read');
  }
}

/** The time whose jobs a difference compares, where there are two. */
function periodWord(
  { onset }: BoardFinding,
  { within }: BoardFinding['differences'][number],
  locale: Locale,
): readonly string[] {
  if (onset === undefined) return [];
  return [within === undefined ? t('in the whole time range') : formatPeriod(within, 'medium', locale)];
}

function findingTitle({ of, isNarrowed, group }: BoardFinding, locale: Locale): string {
  const count = formatNumber(group, locale);
  switch (of) {
    case 'failures':
      if (isNarrowed) {
        return group === 1
          ? t('What changed: 1 failure that matches the conditions')
          : t('What changed: {0} failures that match the conditions', count);
      }
      return group === 1 ? t('What changed: 1 failure') : t('What changed: {0} failures', count);
    case 'range':
      return group === 1 ? t('What changed: 1 job in the range') : t('What changed: {0} jobs in the range', count);
    case 'selection':
      return group === 1 ? t('What changed: 1 selected job') : t('What changed: {0} selected jobs', count);
  }
}

function findingLines(
  { of, isNarrowed: isOfSome, onset, group, compared, code, isPart }: BoardFinding,
  locale: Locale,
): readonly string[] {
  const isNarrowed = isOfSome || code !== undefined;
  const time = timeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  if (of !== 'failures') {
    return [
      of === 'range'
        ? t('Compared with {0} other jobs, earlier ones if there are enough.', formatNumber(compared - group, locale))
        : t('Compared with the {0} other jobs in the table.', formatNumber(compared - group, locale)),
    ];
  }
  if (onset === undefined) return [describeNoStart({ group, isNarrowed })];
  const { between, endBetween, within, latestMs, inside, outside } = onset;
  const began =
    between !== undefined
      ? tellMoment(
          between,
          locale,
          (at) => t('It started at {0}.', at),
          (from, to) => t('It started between {0} and {1}.', from, to),
        )
      : isPart
        ? t('It had already started in the earliest jobs that were read.')
        : t('It had already started when this time range began.');
  const ended =
    endBetween === undefined
      ? t('No clear end by the latest finished job ({0}).', time.format(latestMs))
      : tellMoment(
          endBetween,
          locale,
          (at) => t('It ended at {0}.', at),
          (from, to) => t('It ended between {0} and {1}.', from, to),
        );
  const figures = ({ hits, of: all }: Share): readonly string[] => [
    formatShare({ hits, of: all }, locale),
    formatNumber(hits, locale),
    formatNumber(all, locale),
  ];
  const ofStretch = [formatPeriod(within, 'medium', locale), ...figures(inside)];
  const shares = [
    isNarrowed
      ? t('{0}: {1} of the finished jobs are in this group ({2} of {3}).', ...ofStretch)
      : t('{0}: {1} of the finished jobs failed ({2} of {3}).', ...ofStretch),
    ...describeCommonCode(onset, locale),
    ...(outside.of === 0 ? [] : [t('The rest of the time: {0} ({1} of {2}).', ...figures(outside))]),
    ...laterFailures(onset, { isPart, isNarrowed }, locale),
  ];
  const lead =
    code === undefined
      ? []
      : [t('All failures together show no clear start, but those with error code {0} do.', oneLine(code, 60))];
  return [...lead, `${began} ${ended}`, shares.join(' ')];
}

/** A moment that is known to be between two times, which may read alike. */
function tellMoment(
  { fromMs, toMs }: TimeRange,
  locale: Locale,
  at: (time: string) => string,
  between: (from: string, to: string) => string,
): string {
  const time = timeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const [from, to] = [time.format(fromMs), time.format(toMs)];
  return from === to ? at(from) : between(from, to);
}

/** What came after a stretch that is over. Of jobs that were not all read, there may be more. */
function laterFailures(
  { endBetween, within, later, lastMs }: NonNullable<BoardFinding['onset']>,
  { isPart, isNarrowed }: Pick<BoardFinding, 'isPart' | 'isNarrowed'>,
  locale: Locale,
): readonly string[] {
  if (endBetween === undefined) return [];
  const time = timeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' });
  const after = time.format(within.toMs);
  if (lastMs === undefined) {
    if (isPart) return [];
    return [isNarrowed ? t('None of this group after {0}.', after) : t('No failures after {0}.', after)];
  }
  const facts = [after, formatNumber(later, locale), time.format(lastMs)] as const;
  if (isNarrowed) {
    return [
      isPart
        ? t('In this group after {0}: at least {1}, until {2}.', ...facts)
        : t('In this group after {0}: {1}, the last one at {2}.', ...facts),
    ];
  }
  return [
    isPart
      ? t('Failures after {0}: at least {1}, until {2}.', ...facts)
      : t('Failures after {0}: {1}, the last one at {2}.', ...facts),
  ];
}
