import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import uPlot from 'uplot';
import { followDrag } from './followDrag.ts';
import {
  jobsHeight,
  jobsOptions,
  middleOf,
  stackedData,
  statusText,
  timesData,
  timesHeight,
  timesOptions,
} from './pulseOptions.ts';
import type { ShownPulse, ShownView } from '../../src/features/board/common/boardProtocol.ts';
import {
  describeTimes,
  describeUnread,
  formatShare,
  formatTook,
  timeFormat,
} from '../../src/features/board/common/boardText.ts';
import type { ChosenRange } from '../../src/features/board/common/boardView.ts';
import { pulseStatuses } from '../../src/features/board/common/pulse.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { renderButton } from '../page/renderButton.ts';
import { formatElapsed } from '../../src/base/duration.ts';

/** Requests of the chart to the page. */
export interface PulseEvents {
  changed(): void;
  brush(range: ChosenRange | undefined): void;
  copy(text: string): void;
}

/** Position outside the chart, which hides its cursor. */
const outside = { left: -10, top: -10 };

/**
 * Jobs over time: a chart by status and one of processing times, or the same data as a table. The user selects a range with mouse or
 * keyboard.
 */
export class PulseChart {
  readonly #events: PulseEvents;
  readonly #locale: Locale;
  #pulse: ShownPulse | undefined;
  #range: ChosenRange | undefined;
  #extent: Pick<ShownView, 'extent' | 'atMs'> | undefined;
  /** Elements that cover the part of the charts whose jobs were not read. */
  readonly #unread: readonly HTMLElement[] = [1, 2].map(() => {
    const cover = document.createElement('div');
    cover.className = 'pulse-unread';
    return cover;
  });
  #isTable = false;
  /** Active bin of the keyboard; `#anchor` is the bin where its range began. */
  #bin = 0;
  #anchor: number | undefined;
  #jobs: uPlot | undefined;
  #times: uPlot | undefined;
  #host: HTMLElement | undefined;
  #isDragging = false;

  constructor(events: PulseEvents, locale: Locale) {
    this.#events = events;
    this.#locale = locale;
    new ResizeObserver(() => this.#fit()).observe(document.body);
    // Canvases do not follow the theme automatically.
    new MutationObserver(() => this.#rebuild()).observe(document.body, { attributeFilter: ['class'] });
  }

  take(pulse: ShownPulse, range: ChosenRange | undefined): void {
    this.#pulse = pulse;
    this.#range = range;
    this.#bin = Math.min(this.#bin, Math.max(0, pulse.bins.length - 1));
    if (this.#jobs === undefined) return;
    if (hasComparableTimes(pulse) !== (this.#times !== undefined)) return this.#rebuild();
    this.#jobs.setData(stackedData(pulse));
    this.#times?.setData(timesData(pulse));
    this.#selectSoon();
  }

  /** Updates which jobs were read. */
  takeExtent({ extent, atMs }: ShownView): void {
    this.#extent = { extent, atMs };
    this.#selectSoon();
  }

  /** Draws the charts into their current element. Call it after each rendering. */
  attach(root: ParentNode): void {
    const host = root.querySelector<HTMLElement>('.pulse-charts') ?? undefined;
    if (host === this.#host) return;
    this.#host = host;
    this.#rebuild();
  }

  /** @param heading heading with its fold button */
  render(heading: TemplateResult, isFolded: boolean): TemplateResult {
    const pulse = this.#pulse;
    if (pulse === undefined) return html``;
    const unread = this.#extent && describeUnread(this.#extent.extent, this.#extent.atMs, this.#locale);
    const label = this.#isTable ? t('Show as Chart') : t('Show as Table');
    const toggle = (): void => {
      this.#isTable = !this.#isTable;
      this.#events.changed();
    };
    const legend = html`<ul class="legend">
      ${seenStatuses(pulse)
        .map((place) => pulseStatuses[place] ?? 'unknown')
        .map((status) => html`<li class="legend-${status}"><span class="swatch"></span>${statusText(status)}</li>`)}
    </ul>`;
    const copy = (): void => this.#events.copy(this.#tableText());
    return html`<section class="pulse" aria-label=${t('Jobs over time')}>
      <div class="pulse-head">
        <h2>${heading}</h2>
        ${
          isFolded
            ? nothing
            : [
                legend,
                renderButton({ icon: 'lines', label }, toggle),
                this.#isTable ? renderButton({ icon: 'copy', label: t('Copy Table') }, copy) : nothing,
              ]
        }
      </div>
      ${
        isFolded
          ? nothing
          : [
              this.#isTable ? this.#renderTable(pulse) : this.#renderCharts(pulse),
              unread === undefined ? nothing : html`<p class="dim pulse-note">${unread}</p>`,
            ]
      }
    </section>`;
  }

  #renderCharts(pulse: ShownPulse): TemplateResult {
    const { bins, timed } = pulse;
    const hasTimes = hasComparableTimes(pulse);
    return html`<div
        class="pulse-charts ${hasTimes ? 'two' : ''}"
        role="slider"
        tabindex="0"
        aria-label=${t('Time range: arrow keys move, Shift+arrow keys select, Escape clears')}
        aria-valuemin="1"
        aria-valuemax=${Math.max(1, bins.length)}
        aria-valuenow=${this.#bin + 1}
        aria-valuetext=${this.#binText(this.#bin)}
        title=${t('Drag over the chart to select a time range')}
        @keydown=${(event: KeyboardEvent) => this.#press(event)}
        @pointerdown=${(event: PointerEvent) => this.#drag(event)}
        @focus=${({ target }: FocusEvent) => {
          if (target instanceof Element && target.matches(':focus-visible')) this.#pointAt(bins[this.#bin]);
        }}
        @blur=${() => this.#pointAt(undefined)}
      ></div>
      ${hasTimes ? html`<p class="dim pulse-note">${describeTimes(timed).line}</p>` : nothing}`;
  }

  #renderTable(pulse: ShownPulse): TemplateResult {
    const shown = pulse.bins.filter(({ byStatus }) => byStatus.some((each) => each > 0));
    return html`<div class="pulse-table" tabindex="0" role="group" aria-label=${t('Jobs over time')}>
      <table>
        <thead>
          <tr>
            ${this.#heads(pulse).map((head) => html`<th scope="col">${head}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${shown.map((bin) => {
            const [first, ...cells] = this.#cells(bin, pulse);
            return html`<tr>
              <th scope="row">${first}</th>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`;
          })}
        </tbody>
      </table>
    </div>`;
  }

  #heads(pulse: ShownPulse): readonly string[] {
    return [
      t('From'),
      t('Jobs'),
      ...seenStatuses(pulse).map((place) => statusText(pulseStatuses[place] ?? 'unknown')),
      t('Failure rate'),
      describeTimes(pulse.timed).median,
      t('95th percentile'),
    ];
  }

  #cells(bin: ShownPulse['bins'][number], pulse: ShownPulse): readonly string[] {
    const { fromMs, byStatus, p50Ms, p95Ms } = bin;
    const all = sumOf(bin);
    const shown = [all, ...seenStatuses(pulse).map((place) => byStatus[place] ?? 0)];
    const took = (ms: number | undefined): string => (ms === undefined ? '–' : formatElapsed(ms));
    return [
      this.#time(fromMs),
      ...shown.map((each) => formatNumber(each, this.#locale)),
      formatShare({ hits: byStatus[1] ?? 0, of: all }, this.#locale),
      took(p50Ms),
      took(p95Ms),
    ];
  }

  #tableText(): string {
    const pulse = this.#pulse;
    if (pulse === undefined) return '';
    const rows = pulse.bins.map((bin) => this.#cells(bin, pulse));
    return [this.#heads(pulse), ...rows].map((row) => row.join('\t')).join('\n');
  }

  #binText(index: number): string {
    const bin = this.#pulse?.bins[index];
    if (bin === undefined) return '';
    const text = t(
      '{0}: {1} jobs, {2} failed',
      this.#time(bin.fromMs),
      formatNumber(sumOf(bin), this.#locale),
      formatNumber(bin.byStatus[pulseStatuses.indexOf('error')] ?? 0, this.#locale),
    );
    return bin.p95Ms === undefined ? text : `${text}, ${t('95th percentile')} ${formatTook(bin.p95Ms, this.#locale)}`;
  }

  #time(atMs: number): string {
    return timeFormat(this.#locale, { dateStyle: 'short', timeStyle: 'short' }).format(atMs);
  }

  #press(event: KeyboardEvent): void {
    const last = (this.#pulse?.bins.length ?? 0) - 1;
    const before = this.#bin;
    switch (event.key) {
      case 'ArrowRight':
      case 'ArrowUp':
        this.#bin = Math.min(last, before + 1);
        break;
      case 'ArrowLeft':
      case 'ArrowDown':
        this.#bin = Math.max(0, before - 1);
        break;
      case 'Home':
        this.#bin = 0;
        break;
      case 'End':
        this.#bin = last;
        break;
      case 'Escape':
        this.#anchor = undefined;
        this.#events.brush(undefined);
        break;
      case 'Enter':
      case ' ':
        this.#anchor = this.#bin;
        this.#brushBins(this.#bin, this.#bin);
        break;
      default:
        return;
    }
    event.preventDefault();
    if (event.shiftKey && event.key !== 'Escape') {
      this.#anchor ??= before;
      this.#brushBins(this.#anchor, this.#bin);
    } else if (event.key.startsWith('Arrow')) this.#anchor = undefined;
    this.#pointAt(this.#pulse?.bins[this.#bin]);
    this.#events.changed();
  }

  #brushBins(one: number, other: number): void {
    const bins = this.#pulse?.bins ?? [];
    const first = bins[Math.min(one, other)];
    const last = bins[Math.max(one, other)];
    if (first !== undefined && last !== undefined) this.#events.brush({ fromMs: first.fromMs, toMs: last.toMs });
  }

  /** Marks the active bin of the keyboard. */
  #pointAt(bin: ShownPulse['bins'][number] | undefined): void {
    const left = bin === undefined ? undefined : this.#jobs?.valToPos(middleOf(bin), 'x');
    this.#jobs?.setCursor(left === undefined ? outside : { left, top: 4 });
  }

  #drag(down: PointerEvent): void {
    const chart = this.#jobs;
    if (chart === undefined) return;
    // Clamps a position beside the plot to its edge.
    const within = (x: number): number => {
      const { left, width } = chart.over.getBoundingClientRect();
      return Math.min(width, Math.max(0, x - left));
    };
    followDrag(down, {
      moved: (...ends) => {
        this.#isDragging = true;
        const [from, to] = ends.map(within).toSorted((a, b) => a - b);
        this.#showSelection(from ?? 0, to ?? 0);
      },
      ended: (...ends) => {
        this.#isDragging = false;
        const [from, to] = ends.map((x) => chart.posToVal(within(x), 'x') * 1000).toSorted((a, b) => a - b);
        if (!this.#take(from ?? 0, to ?? 0)) this.#select();
      },
      dropped: () => {
        this.#isDragging = false;
        this.#select();
      },
    });
  }

  /** Selects the bins that a dragged range touches. Returns false if there are none. */
  #take(fromMs: number, toMs: number): boolean {
    const bins = this.#pulse?.bins ?? [];
    const from = bins.findIndex((bin) => bin.toMs > fromMs);
    const to = bins.findLastIndex((bin) => bin.fromMs < toMs);
    if (from < 0 || to < from) return false;
    this.#brushBins(from, to);
    return true;
  }

  /** Draws the selection in a microtask, because the charts compute their layout in one. */
  #selectSoon(): void {
    queueMicrotask(() => this.#select());
  }

  #select(): void {
    const chart = this.#jobs;
    if (chart === undefined || this.#isDragging) return;
    const extent = this.#extent?.extent;
    const sinceMs = extent?.type === 'part' ? extent.sinceMs : undefined;
    const unread = sinceMs === undefined ? 0 : chart.valToPos(sinceMs / 1000, 'x');
    for (const cover of this.#unread) cover.style.width = `${Math.min(chart.over.clientWidth, Math.max(0, unread))}px`;
    const range = this.#range;
    const ends =
      range === undefined ? [] : [range.fromMs, range.toMs ?? this.#pulse?.bins.at(-1)?.toMs ?? range.fromMs];
    const [from, to] = ends.map((ms) => chart.valToPos(ms / 1000, 'x'));
    this.#showSelection(from ?? 0, to ?? 0);
  }

  #showSelection(from: number, to: number): void {
    for (const chart of [this.#jobs, this.#times]) {
      // An empty range has no height either: in high contrast the selection has a border.
      const height = from === to ? 0 : (chart?.over.clientHeight ?? 0);
      chart?.setSelect({ left: from, width: to - from, top: 0, height }, false);
    }
  }

  #rebuild(): void {
    this.#jobs?.destroy();
    this.#times?.destroy();
    this.#jobs = undefined;
    this.#times = undefined;
    const [host, pulse] = [this.#host, this.#pulse];
    if (host === undefined || pulse === undefined) return;
    const place = {
      width: host.clientWidth,
      locale: this.#locale,
      bins: () => this.#pulse?.bins ?? [],
    };
    this.#jobs = new uPlot(jobsOptions(place), stackedData(pulse), host);
    if (hasComparableTimes(pulse)) this.#times = new uPlot(timesOptions(place), timesData(pulse), host);
    for (const [place, chart] of [this.#jobs, this.#times].entries()) {
      const cover = this.#unread[place];
      if (cover !== undefined) chart?.over.prepend(cover);
    }
    // Screen readers get the data from the surrounding elements.
    for (const canvas of host.querySelectorAll('canvas')) canvas.setAttribute('aria-hidden', 'true');
    this.#selectSoon();
  }

  #fit(): void {
    const width = this.#host?.clientWidth ?? 0;
    if (width === 0 || this.#jobs?.width === width) return;
    this.#jobs?.setSize({ width, height: jobsHeight });
    this.#times?.setSize({ width, height: timesHeight });
    this.#selectSoon();
  }
}

/** True if there are processing times to compare: of jobs that did not all fail, and at more than one time. */
function hasComparableTimes({ bins }: ShownPulse): boolean {
  const failed = pulseStatuses.indexOf('error');
  const haveSucceeded = bins.some((bin) => sumOf(bin) > (bin.byStatus[failed] ?? 0));
  return haveSucceeded && bins.filter(({ p50Ms }) => p50Ms !== undefined).length > 1;
}

/** Returns the number of all jobs of a bin. */
function sumOf({ byStatus }: ShownPulse['bins'][number]): number {
  return byStatus.reduce((sum, each) => sum + each, 0);
}

/** Returns the places of the statuses that at least one job has. */
function seenStatuses({ bins }: ShownPulse): readonly number[] {
  return [...pulseStatuses.keys()].filter((place) => bins.some(({ byStatus }) => (byStatus[place] ?? 0) > 0));
}
