import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import {
  maxBoardItems,
  type BoardExtent,
  type BoardFinding,
  type BoardToHost,
  type HostToBoard,
  type ShownStandout,
  type ShownView,
} from '../../src/features/board/common/boardProtocol.ts';
import {
  describeCondition,
  describeExtent,
  describeNothing,
  describeStandout,
  describeStandoutDetail,
  describeTimes,
  describeUnsupported,
  formatBoardTime,
  nameConditions,
  formatPeriod,
  formatShare,
  formatTook,
} from '../../src/features/board/common/boardText.ts';
import type { ChosenRange, FacetCondition } from '../../src/features/board/common/boardView.ts';
import { selectsFailures } from '../../src/features/board/common/supportedConditions.ts';
import { maxKeyColumns } from '../../src/features/board/common/jobColumns.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { maxItemMembers } from '../../src/jobs/common/itemFacts.ts';
import { renderButton } from '../page/renderButton.ts';
import { renderIcon } from '../page/renderIcon.ts';

type Scope = Extract<HostToBoard, { type: 'scope' }>;
type Progress = Extract<HostToBoard, { type: 'progress' }>;
type Send = (message: BoardToHost) => void;
type FoundTime = NonNullable<ShownStandout['time']>;

const presetHours = [24, 7 * 24, 30 * 24, 90 * 24] as const;

/** Renders the title, the time range and the filter. */
export function renderScope({ title, filterText, isFiltered, hours, isOther }: Scope, send: Send): TemplateResult {
  const name = (each: number): string => (each === 24 ? t('24 hours') : t('{0} days', each / 24));
  return html`<header class="board-head">
    <h1>${t('Board')} <bdi class="dim">${title}</bdi></h1>
    <div class="windows" role="toolbar" aria-label=${t('Time range')}>
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

/** Renders the progress of reading, with a button that cancels it. @param earlier see {@link renderEarlier} */
export function renderProgress(
  { phase, jobs, requests, isSlowed }: Progress,
  earlier: unknown,
  send: Send,
  locale: Locale,
): TemplateResult {
  const texts: Readonly<Record<Progress['phase'], string>> = {
    reading: t('Reading: {0} jobs, {1} requests', formatNumber(jobs, locale), formatNumber(requests, locale)),
    counting: t('Counting the jobs of the range…'),
  };
  return html`<div class="basis">
    <span class="status tone-processing">${renderIcon('processing')}${texts[phase]}</span>
    ${isSlowed ? html`<span class="dim">${slowedText()}</span>` : nothing}
    ${renderButton({ label: t('Cancel') }, () => send({ type: 'cancel' }))}${earlier}
  </div>`;
}

/** Renders which jobs the visible figures count, while others are read or after reading them has failed. */
export function renderEarlier(view: ShownView, locale: Locale): TemplateResult {
  return html`<span class="dim">${describeExtent(view, locale)}</span>`;
}

/** Renders which jobs the figures count, with the buttons to read on and to read again. */
export function renderExtent(view: ShownView, send: Send, locale: Locale): TemplateResult {
  const { extent, unreadable, contradicting, lacksKeys, error, isSlowed } = view;
  const isWhole = extent.type === 'whole';
  const isFull = extent.type === 'part' && extent.next === undefined;
  const remarks = [
    extent.type === 'part' && extent.why === 'cancelled' ? t('Canceled') : undefined,
    isFull
      ? t(
          'A board has at most {0} jobs: choose a shorter time range for the others',
          formatNumber(maxBoardItems, locale),
        )
      : undefined,
    isSlowed ? slowedText() : undefined,
    unreadable > 0 ? t('{0} items without an ID are left out', formatNumber(unreadable, locale)) : undefined,
    contradicting > 0
      ? t("{0} jobs that don't match the request are left out", formatNumber(contradicting, locale))
      : undefined,
    lacksKeys
      ? t('Only the first {0} keys of a job have columns, and {1} keys in all', maxItemMembers, maxKeyColumns)
      : undefined,
  ].filter((each) => each !== undefined);
  return html`<div class="basis">
    <span class="status ${isWhole ? 'tone-done' : 'tone-queued'}"
      >${renderIcon(isWhole ? 'done' : 'unknown')}${describeExtent(view, locale)}</span
    >
    ${error === undefined ? nothing : html`<span class="status tone-error">${renderIcon('error')}<bdi>${error}</bdi></span>`}
    ${remarks.map((each) => html`<span class="dim">${each}</span>`)}
    ${
      extent.type === 'part' && extent.next !== undefined
        ? renderButton({ label: readOnText(extent, extent.next, locale) }, () => send({ type: 'readOn' }))
        : nothing
    }
    ${renderButton({ label: t('Read Again') }, () => send({ type: 'read' }))}
  </div>`;
}

function readOnText(
  { why, total }: Extract<BoardExtent, { type: 'part' }>,
  { jobs, requests }: { readonly jobs: number; readonly requests: number },
  locale: Locale,
): string {
  const price = formatNumber(requests, locale);
  if (why === 'firstPage') {
    return total?.isExact ? t('Read ({0} requests)', price) : t('Read (up to {0} requests)', price);
  }
  return total?.isExact
    ? t('Read On ({0} jobs, {1} requests)', formatNumber(jobs, locale), price)
    : t('Read On (up to {0} requests)', price);
}

function slowedText(): string {
  return t('The service asked to slow down');
}

/** Renders the figures of all jobs that meet the conditions: without the failure rate if all of them are failures. */
export function renderFigures({ rows, failed, times, conditions }: ShownView, locale: Locale): TemplateResult {
  const took = (ms: number | undefined): string => (ms === undefined ? '–' : formatTook(ms, locale));
  const { median, note } = describeTimes(times.timed);
  const figures: readonly (readonly [string, string])[] = [
    [t('Jobs'), formatNumber(rows, locale)],
    ...(conditions.some(selectsFailures)
      ? []
      : ([[t('Failure rate'), formatShare({ hits: failed, of: rows }, locale)]] as const)),
    [median, took(times.p50Ms)],
    [t('95th percentile'), took(times.p95Ms)],
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

/**
 * Renders the conditions on the rows, each with a button that removes it, and the actions on all of them.
 * @param isFiltering true if a finding offers to use them as a filter
 */
export function renderConditions(
  { conditions, range, canFilter, unsupported }: ShownView,
  isFiltering: boolean,
  lift: (conditions: readonly FacetCondition[], range: ChosenRange | undefined) => void,
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
    chips.push({ text: formatPeriod(range, locale), remove: () => lift(conditions, undefined) });
  }
  if (chips.length === 0) return html``;
  const note = isFiltering ? undefined : describeUnsupported({ canFilter, unsupported }, locale);
  return html`<div class="conditions">
    ${chips.map(
      ({ text, remove }) =>
        html`<button type="button" class="chip" aria-label=${t('Remove {0}', text)} @click=${remove}>
          <bdi>${text}</bdi>${renderIcon('error')}
        </button>`,
    )}
    ${renderButton({ label: t('Clear') }, () => lift([], undefined))}
    ${
      canFilter && !isFiltering
        ? renderUseAsFilter(note === undefined ? undefined : 'unsupported', () =>
            send({ type: 'useAsFilter', shared: [] }),
          )
        : nothing
    }
    ${note === undefined ? nothing : html`<span class="dim" id="unsupported"><bdi>${note}</bdi></span>`}
  </div>`;
}

/** @param describedBy ID of the element that describes which conditions the filter leaves out */
function renderUseAsFilter(describedBy: string | undefined, press: () => void): TemplateResult {
  return renderButton({ icon: 'lines', label: t('Use as Filter in Jobs View'), describedBy }, press);
}

/**
 * Renders the result of What Changed?
 * @param isEarlier true if the conditions of the board have changed since
 * @param range of the board now
 * @param picks narrow the board down to values that some jobs share, or to the time of a finding
 */
export function renderFinding(
  finding: BoardFinding,
  isEarlier: boolean,
  range: ChosenRange | undefined,
  {
    pick,
    rangeAt,
    pickRange,
  }: {
    readonly pick: (shared: readonly FacetCondition[]) => void;
    /** Returns the range of a time. */
    readonly rangeAt: (time: FoundTime) => ChosenRange;
    readonly pickRange: (range: ChosenRange) => void;
  },
  close: () => void,
  send: Send,
  locale: Locale,
): TemplateResult {
  const { standouts, unsupported, isPart, of, among, compared, group } = finding;
  const canFilter = standouts.some((each) => each.canFilter);
  const note = canFilter ? describeUnsupported({ canFilter, unsupported }, locale) : undefined;
  const others = formatNumber(compared - group, locale);
  return html`<section class="finding" aria-label=${t('What changed')}>
    <div class="finding-head">
      <h2 tabindex="-1">${findingTitle(finding, locale)}</h2>
      ${renderButton({ icon: 'error', label: t('Close'), iconOnly: true }, close)}
    </div>
    ${isEarlier ? html`<p class="dim">${t('About the jobs before the conditions were changed.')}</p>` : nothing}
    ${of === 'failures' && range !== undefined ? html`<p class="dim">${t('These numbers are for the whole time of the board, not only the chosen range.')}</p>` : nothing}
    ${among.length > 0 ? html`<p class="dim"><bdi>${t('Only jobs with {0} were compared.', nameConditions(among, locale))}</bdi></p>` : nothing}
    ${of === 'range' ? html`<p>${t('Compared with {0} other jobs, earlier ones if there are enough.', others)}</p>` : nothing}
    ${of === 'selection' ? html`<p>${t('Compared with the {0} other jobs in the table.', others)}</p>` : nothing}
    ${
      standouts.length === 0
        ? html`<p>${describeNothing(finding)}</p>`
        : html`<ol class="standouts">
            ${standouts.map((each) => {
              const detail = describeStandoutDetail(each, locale);
              return html`<li>
                <bdi>${describeStandout(each, finding, locale, Date.now())}</bdi>
                ${detail === undefined ? nothing : html`<span class="dim">${detail}</span>`}
                ${each.time === undefined ? nothing : renderTimePick(each.time, rangeAt(each.time), range, pickRange, locale)}
                ${each.shared.length === 0 ? nothing : renderPicks(each, note, pick, send)}
              </li>`;
            })}
          </ol>`
    }
    ${isPart ? html`<p class="dim">${t('Based on the jobs that were read; there may be more.')}</p>` : nothing}
    ${note === undefined ? nothing : html`<p class="dim" id="finding-unsupported"><bdi>${note}</bdi></p>`}
  </section>`;
}

/** Renders a button that narrows the board down to the time of a finding, unless its range is already chosen. */
function renderTimePick(
  time: FoundTime,
  wanted: ChosenRange,
  chosen: ChosenRange | undefined,
  pick: (range: ChosenRange) => void,
  locale: Locale,
): TemplateResult | typeof nothing {
  if (chosen?.fromMs === wanted.fromMs && chosen.toMs === wanted.toMs) return nothing;
  const at = formatBoardTime(time.atMs, locale);
  const label = time.side === 'since' ? t('Show Jobs Since {0}', at) : t('Show Jobs Until {0}', at);
  return renderButton({ label }, () => pick(wanted));
}

/** Renders the actions on values that jobs share. @param note describes which of them a filter leaves out */
function renderPicks(
  { shared, canFilter }: ShownStandout,
  note: string | undefined,
  pick: (shared: readonly FacetCondition[]) => void,
  send: Send,
): TemplateResult {
  return html`${renderButton({ label: t('Show These Jobs') }, () => pick(shared))}
  ${
    canFilter
      ? renderUseAsFilter(note === undefined ? undefined : 'finding-unsupported', () =>
          send({ type: 'useAsFilter', shared }),
        )
      : html`<span class="dim">${t("The jobs view can't filter by this value")}</span>`
  }`;
}

function findingTitle({ of, isNarrowed, group, compared }: BoardFinding, locale: Locale): string {
  const [count, others] = [formatNumber(group, locale), formatNumber(compared - group, locale)];
  switch (of) {
    case 'failures':
      if (isNarrowed) {
        return group === 1
          ? t('What changed: 1 failure, compared with {0} other finished jobs', others)
          : t('What changed: {0} failures, compared with {1} other finished jobs', count, others);
      }
      return group === 1
        ? t('What changed: 1 failure of {0} finished jobs', formatNumber(compared, locale))
        : t('What changed: {0} failures of {1} finished jobs', count, formatNumber(compared, locale));
    case 'range':
      return group === 1 ? t('What changed: 1 job in the range') : t('What changed: {0} jobs in the range', count);
    case 'selection':
      return group === 1 ? t('What changed: 1 selected job') : t('What changed: {0} selected jobs', count);
  }
}
