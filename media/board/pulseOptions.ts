import { t } from '@vscode/l10n';
import uPlot from 'uplot';
import type { ShownPulse } from '../../src/features/board/common/boardProtocol.ts';
import { formatProcessing, timeFormat } from '../../src/features/board/common/boardText.ts';
import type { TimeRange } from '../../src/features/board/common/boardView.ts';
import { pulseStatuses } from '../../src/features/board/common/pulse.ts';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { describeStatus } from '../../src/jobs/common/jobRow.ts';

/** Heights of the charts, in pixels. */
export const jobsHeight = 130;
export const timesHeight = 96;
const axisWidth = 60;
/** Minimum space of a time label with its weekday, in pixels. */
const labelSpace = 96;
/** Steps between the labels of processing times, in seconds. */
const niceSeconds = [
  0.1, 0.5, 1, 2, 5, 10, 20, 30, 60, 120, 300, 600, 1200, 1800, 3600, 7200, 14_400, 43_200, 86_400, 604_800,
];

/** Width of a chart and the data that it shows. */
export interface ChartPlace {
  readonly width: number;
  readonly locale: Locale;
  readonly bins: () => ShownPulse['bins'];
}

/** Returns the options of the chart with stacked bars of jobs by status. */
export function jobsOptions(place: ChartPlace): uPlot.Options {
  const colours = readColours();
  const { axis, common } = commonOptions(place, colours, jobsHeight);
  const bars = uPlot.paths.bars?.({ size: [0.86, 60], gap: 0 });
  return {
    ...common,
    axes: [
      { ...axis, size: 26, gap: 4, space: labelSpace, values: timeLabels(place) },
      {
        ...axis,
        size: axisWidth,
        space: 26,
        values: (_chart, ticks) =>
          ticks.map((each) => (Number.isInteger(each) ? formatNumber(each, place.locale) : '')),
      },
    ],
    series: [
      {},
      ...pulseStatuses.toReversed().map((status): uPlot.Series => ({
        label: statusText(status),
        fill: colours.status[status],
        width: 0,
        points: { show: false },
        ...(bars !== undefined && { paths: bars }),
      })),
    ],
  };
}

/** Returns the options of the chart with lines for the median and the 95th percentile of times. */
export function timesOptions(place: ChartPlace): uPlot.Options {
  const colours = readColours();
  const { axis, common } = commonOptions(place, colours, timesHeight);
  const line = (label: string, stroke: string, dash: number[]): uPlot.Series => ({
    label,
    stroke,
    dash,
    width: 1.5,
    // A line needs two adjacent bins with jobs, so a single bin is drawn as a point.
    points: { show: true, filter: ({ data }, series) => lonePlaces(data[series] ?? []), size: 5, fill: stroke },
  });
  return {
    ...common,
    axes: [
      { ...axis, show: false },
      {
        ...axis,
        size: axisWidth,
        space: 26,
        incrs: [...niceSeconds],
        values: (_chart, ticks) => ticks.map((each) => formatProcessing(each * 1000, place.locale)),
      },
    ],
    series: [{}, line(t('Median'), colours.text, []), line(t('95th percentile'), colours.status.processing, [4, 3])],
  };
}

function lonePlaces(values: ArrayLike<number | null | undefined>): number[] {
  const isGap = (place: number): boolean => typeof values[place] !== 'number';
  return Array.from(values, (_, place) => place).filter(
    (place) => !isGap(place) && isGap(place - 1) && isGap(place + 1),
  );
}

function commonOptions({ width, bins }: ChartPlace, colours: Colours, height: number) {
  const axis = {
    stroke: colours.text,
    font: colours.font,
    grid: { stroke: colours.line, width: 1 },
    ticks: { show: false },
  };
  const range = (): [number, number] => spanOf(bins());
  const common: Omit<uPlot.Options, 'series'> = {
    width: Math.max(200, width),
    height,
    legend: { show: false },
    padding: [8, 20, 8, 0],
    cursor: {
      y: false,
      points: { show: false },
      // `PulseChart` handles dragging, also across both charts and beside them. uPlot would extend the range to the edge on leaving.
      drag: { x: false, y: false },
      bind: { mousedown: ignored, mouseup: ignored, dblclick: ignored },
    },
    scales: {
      x: { time: true, range },
      y: { range: (_chart, _low, high) => [0, Math.max(1, high)] },
    },
  };
  return { axis, common };
}

const ignored = (): null => null;

function spanOf(bins: ShownPulse['bins']): [number, number] {
  return [(bins[0]?.fromMs ?? 0) / 1000, (bins.at(-1)?.toMs ?? 1000) / 1000];
}

function timeLabels({ bins, locale }: ChartPlace): uPlot.Axis.DynamicValues {
  return (_chart, ticks) => {
    const [from, to] = spanOf(bins());
    const options: Intl.DateTimeFormatOptions =
      to - from > 3 * 86_400
        ? { month: 'short', day: 'numeric' }
        : { hour: '2-digit', minute: '2-digit', weekday: 'short' };
    const format = timeFormat(locale, options);
    const labels = ticks.map((each) => format.format(each * 1000));
    // Ticks of half days have the same label as their day, which is shown once.
    return labels.map((each, place) => (each === labels[place - 1] ? '' : each));
  };
}

interface Colours {
  readonly text: string;
  readonly line: string;
  readonly font: string;
  readonly status: Readonly<Record<(typeof pulseStatuses)[number], string>>;
}

function readColours(): Colours {
  const style = getComputedStyle(document.body);
  const read = (name: string, fallback: string): string => style.getPropertyValue(name).trim() || fallback;
  const text = read('--vscode-foreground', '#888');
  return {
    text,
    line: 'rgba(128, 128, 128, 0.25)',
    font: `11px ${read('--vscode-font-family', 'sans-serif')}`,
    status: {
      done: read('--vscode-charts-green', '#388a34'),
      error: read('--vscode-charts-red', '#e51400'),
      processing: read('--vscode-charts-blue', '#1a85ff'),
      queued: read('--vscode-charts-purple', '#b180d7'),
      unknown: read('--vscode-descriptionForeground', '#888'),
    },
  };
}

/** Formats a status of the chart. */
export function statusText(status: (typeof pulseStatuses)[number]): string {
  return status === 'unknown' ? t('Other') : describeStatus(status, 'list').text;
}

/** Returns the middle of a bin in seconds, the time unit of the charts. */
export function middleOf({ fromMs, toMs }: TimeRange): number {
  return (fromMs + toMs) / 2000;
}

/** Returns cumulative sums by status. The tallest series comes first, so that the others are drawn over it. */
export function stackedData({ bins }: ShownPulse): uPlot.AlignedData {
  const sums = pulseStatuses.map((_, place) =>
    bins.map(({ byStatus }) => byStatus.slice(0, place + 1).reduce((sum, each) => sum + each, 0)),
  );
  return [bins.map(middleOf), ...sums.toReversed()];
}

/** Returns the data of the processing times, in seconds. */
export function timesData({ bins }: ShownPulse): uPlot.AlignedData {
  const seconds = (ms: number | undefined): number | null => (ms === undefined ? null : ms / 1000);
  return [bins.map(middleOf), bins.map(({ p50Ms }) => seconds(p50Ms)), bins.map(({ p95Ms }) => seconds(p95Ms))];
}
