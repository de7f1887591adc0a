import type { FilterTime } from '../filter/jobFilter.ts';
import type { Locale } from '../format.ts';
import { isJobStatus } from '../jobs/job.ts';
import type { ListParams } from '../jobs/listParams.ts';
import type { BoardFinding, BoardLayout, BoardRow, PlaceRange, ShownFacet, ShownView } from './boardProtocol.ts';
import { mostSliceRows } from './boardProtocol.ts';
import { describeValue, formatElapsed, timeFormat } from './boardText.ts';
import {
  BoardView,
  labelOf,
  sortRows,
  type BoardConditions,
  type BoardData,
  type BoardOrder,
  type CodeCounts,
  type FacetCondition,
  type TimeRange,
} from './boardView.ts';
import { chooseFacets } from './chooseFacets.ts';
import { commonCode, explainCode, explainGroup, findDifferences, type Explanation } from './incident.ts';
import {
  askOfFinding,
  canAskIn,
  conditionsOfFinding,
  isOfAllFailures,
  isOutcome,
  mostConfirming,
  paramsOfConditions,
  unaskedOf,
  type FindingQuestions,
} from './findingQuestions.ts';
import { fieldKeys } from './jobColumns.ts';
import { isSampled } from './estimate.ts';
import { chooseTimed, layTimeline, measurePulse, measureTimes, type Timeline } from './pulse.ts';

/** What rows are written with. */
export interface BoardWords {
  readonly locale: Locale;
  readonly errorLabels: Readonly<Record<string, string>>;
}

/** The part of a {@link ShownView} that the rows tell. */
export type ModelView = Pick<
  ShownView,
  | 'matching'
  | 'failed'
  | 'times'
  | 'rows'
  | 'columns'
  | 'keys'
  | 'numeric'
  | 'order'
  | 'conditions'
  | 'range'
  | 'facets'
  | 'pulse'
  | 'canFilter'
  | 'unasked'
  | 'slice'
  | 'read'
  | 'omittedKeys'
>;

/** Values of a facet that are shown besides those with a condition. */
const shownValues = 8;
/** Values that set jobs apart and are told. */
const toldDifferences = 3;

/** The jobs of a board under its conditions and in its order, ready to be shown. */
export class BoardModel {
  readonly data: BoardData;
  readonly #time: FilterTime;
  readonly #window: TimeRange;
  readonly #timeline: Timeline;
  readonly #facetKeys: readonly string[];
  readonly #orders = new Map<string, Uint32Array>();
  readonly #counted = new Map<string, CodeCounts>();
  #conditions: BoardConditions = { facets: [], range: undefined };
  #layout: BoardLayout;
  #view: BoardView;
  /** The same without the brushed range. */
  #whole: BoardView;

  /** @param atMs when the jobs were read, from which a window counts back */
  constructor(data: BoardData, layout: BoardLayout, conditions: BoardConditions, time: FilterTime, atMs: number) {
    this.data = data;
    this.#layout = layout;
    this.#facetKeys = chooseFacets(data.columns);
    this.#time = time;
    this.#window = windowOf(data.columns.created, time, atMs);
    this.#timeline = layTimeline(data, this.#window, this.#orderOf({ key: 'processing_time', isDescending: false }));
    this.#conditions = conditions;
    [this.#view, this.#whole] = this.#look();
  }

  get view(): BoardView {
    return this.#view;
  }

  narrow(conditions: BoardConditions): void {
    this.#conditions = conditions;
    [this.#view, this.#whole] = this.#look();
  }

  arrange(layout: BoardLayout): void {
    const { order } = this.#layout;
    this.#layout = layout;
    if (order.key !== layout.order.key || order.isDescending !== layout.order.isDescending) {
      [this.#view, this.#whole] = this.#look();
    }
  }

  /** Everything that is shown, with the rows of a viewport. */
  show(viewport: PlaceRange, words: BoardWords): ModelView {
    const { columns } = this.data;
    const conditioned = this.#conditions.facets.map(({ key }) => key);
    const keys = [...new Set([...this.#facetKeys, ...conditioned])];
    const metadata = columns.values.map(({ key }) => key).filter((key) => key.includes('.'));
    const { range } = this.#conditions;
    const timed = chooseTimed(this.#view, this.#timeline);
    return {
      matching: this.#view.matching,
      failed: this.#view.failed,
      times: measureTimes(timed, this.#timeline),
      rows: this.#view.rows.length,
      columns: this.#layout.columns,
      keys: [...fieldKeys, ...metadata],
      numeric: this.#layout.columns.flatMap(({ key }) => (this.#isNumeric(key) ? [key] : [])),
      order: this.#layout.order,
      conditions: this.#conditions.facets,
      range,
      facets: keys.flatMap((key) => this.#facet(key, words) ?? []),
      pulse: measurePulse(this.#whole, this.#timeline, this.#whole === this.#view ? timed : undefined),
      canFilter: range !== undefined || Object.keys(this.paramsOf(this.#conditions.facets)).length > 0,
      unasked: this.unasked(this.#conditions.facets),
      slice: this.slice(viewport, words),
      read: columns.size,
      omittedKeys: columns.omittedKeys,
    };
  }

  /** The rows of some places of the table, at most {@link mostSliceRows}. */
  slice({ from, to }: PlaceRange, words: BoardWords): ShownView['slice'] {
    const { columns } = this.data;
    const keys = this.#layout.columns.map(({ key }) => key);
    const time = timeFormat(words.locale, { dateStyle: 'short', timeStyle: 'medium' });
    const rows = this.#view.rows.subarray(from, Math.min(to, from + mostSliceRows));
    return {
      from,
      rows: Array.from(rows, (row): BoardRow => {
        const status = columns.column('status')?.value(row) ?? '';
        return {
          tone: isJobStatus(status) ? status : 'unknown',
          cells: keys.map((key) => this.#cell(key, row, words, time)),
        };
      }),
    };
  }

  /** The rows at selected places; places that there are not are left out. */
  rowsAt(selected: readonly PlaceRange[]): readonly number[] {
    const rows = new Set<number>();
    for (const { from, to } of selected) for (const row of this.#view.rows.subarray(from, to)) rows.add(row);
    return [...rows];
  }

  /**
   * What sets a group of jobs apart: the failures among the jobs that the other conditions let pass, those of the brushed range against
   * the ones before it, or the selected ones against all others.
   */
  explain(of: BoardFinding['of'], selected: readonly PlaceRange[]): BoardFinding {
    const { columns } = this.data;
    const sampled = isSampled(this.data.strata);
    const isPart = this.data.mayBeMore === true;
    const byTime = this.#orderOf({ key: 'created_at', isDescending: false });
    const { rows, isHit } = this.#groupOf(of, selected, byTime);
    const { facets, range } = this.#conditions;
    const isNarrowed =
      of === 'failures' && (range !== undefined || facets.some((each) => isOutcome(each) && !isOfAllFailures(each)));
    const ofAll: Explanation =
      of === 'failures'
        ? explainGroup(columns, rows, isHit)
        : { onset: undefined, differences: findDifferences(columns, rows, isHit, true), compared: undefined };
    const ofCode =
      of === 'failures' && !isNarrowed && ofAll.onset === undefined ? explainCode(columns, rows, isHit) : undefined;
    const { onset, differences, compared: within } = ofCode ?? ofAll;
    const facts = { of, isNarrowed, group: rows.filter(isHit).length, compared: rows.length, code: ofCode?.code };
    const isAskable = sampled && this.questionsOf(facts, within) !== undefined;
    return {
      ...facts,
      conditions: facets,
      range,
      onset: onset && {
        between: onset.between,
        endBetween: onset.endBetween,
        within: onset.within,
        latestMs: onset.latestMs,
        later: onset.later,
        lastMs: onset.lastMs,
        inside: onset.inside,
        outside: onset.outside,
        common: isNarrowed || ofCode !== undefined ? undefined : commonCode(columns, onset.rows, isHit),
      },
      differences: differences.slice(0, toldDifferences).map(({ key, value, having, lacking }) => ({
        key,
        value,
        having,
        lacking,
        within,
        basis: sampled ? 'sampled' : isPart ? 'read' : 'counted',
        canFilter: canAskIn(columns, { key, value, isExcluded: false }),
      })),
      unasked: this.unasked(conditionsOfFinding({ ...facts, conditions: facets }), of),
      isPart: isPart || sampled,
      confirmRequests: isAskable ? this.#priceOfConfirming(differences.length) : undefined,
    };
  }

  /**
   * What counts a finding of the conditions as they are; undefined where a service cannot be asked for just these jobs.
   * @param within the time whose jobs its differences compare; undefined: that of all
   */
  questionsOf(
    { of, compared, code }: Pick<BoardFinding, 'of' | 'compared' | 'code'>,
    within: TimeRange | undefined,
  ): FindingQuestions | undefined {
    // Contract 4.5 has no filter for error codes.
    if (code !== undefined) return undefined;
    const isOfEarlier = of === 'range' && compared < this.#whole.rows.length;
    return askOfFinding(
      { of, isOfEarlier, within },
      { conditions: this.#conditions, time: this.#time, window: this.#window, columns: this.data.columns },
    );
  }

  /** The parameters of contract 4.5 for those of the conditions that it offers a filter for. */
  paramsOf(conditions: readonly FacetCondition[]): Pick<ListParams, 'statuses' | 'customMetadata'> {
    return paramsOfConditions(this.data.columns, conditions);
  }

  /**
   * Those of the conditions that a filter of the jobs view leaves out.
   * @param of a finding, whose filter it is; one of failures asks for failures, whatever the statuses
   */
  unasked(conditions: readonly FacetCondition[], of?: BoardFinding['of']): readonly FacetCondition[] {
    const unasked = unaskedOf(this.data.columns, conditions);
    return of === 'failures' ? unasked.filter(({ key }) => key !== 'status') : unasked;
  }

  /** The requests for counting two shares for each difference told, and those of all jobs. */
  #priceOfConfirming(differences: number): number | undefined {
    if (differences === 0) return undefined;
    const { strata } = this.data;
    const ofOne = strata.reduce((sum, { total }) => sum + Math.ceil(2 * Math.log2(total + 2)) + 6, 0);
    return Math.min(mostConfirming, 2 * (1 + Math.min(toldDifferences, differences)) * ofOne);
  }

  #groupOf(of: BoardFinding['of'], selected: readonly PlaceRange[], byTime: Uint32Array) {
    const { columns } = this.data;
    switch (of) {
      case 'failures': {
        const { facets, range } = this.#conditions;
        const ofOutcome = facets.filter(isOutcome);
        const base = new BoardView(
          this.data,
          // Of a brushed range nothing but what happened within it is told: its own bounds are no beginning and no end.
          { facets: facets.filter((each) => !ofOutcome.includes(each)), range },
          byTime,
        );
        const group = new BoardView(this.data, { facets: ofOutcome, range }, byTime);
        const status = columns.column('status');
        const [failed, done] = [status?.codeOf('error'), status?.codeOf('done')];
        return {
          // What goes on has not failed yet: counted among the others, it would end every incident.
          rows: base.rows.filter((row) => status?.code(row) === failed || status?.code(row) === done),
          isHit: (row: number) => status?.code(row) === failed && group.passes(row),
        };
      }
      case 'range': {
        const view = this.#view;
        const { range } = this.#conditions;
        const before = this.#whole.rows.filter((row) => (columns.created[row] ?? NaN) < (range?.toMs ?? Infinity));
        const hits = view.rows.length;
        return { rows: hits * 2 > before.length ? this.#whole.rows : before, isHit: (row: number) => view.passes(row) };
      }
      case 'selection': {
        const chosen = new Set(this.rowsAt(selected));
        return { rows: this.#view.rows, isHit: (row: number) => chosen.has(row) };
      }
    }
  }

  #look(): [view: BoardView, whole: BoardView] {
    const order = this.#orderOf(this.#layout.order);
    const look = (conditions: BoardConditions): BoardView => new BoardView(this.data, conditions, order, this.#counted);
    const { facets, range } = this.#conditions;
    const view = look(this.#conditions);
    return [view, range === undefined ? view : look({ facets, range: undefined })];
  }

  #orderOf(order: BoardOrder): Uint32Array {
    const name = JSON.stringify([order.key, order.isDescending]);
    const known = this.#orders.get(name) ?? sortRows(this.data, order);
    // Each takes four bytes a row.
    if (this.#orders.size > 8) this.#orders.clear();
    this.#orders.set(name, known);
    return known;
  }

  #facet(key: string, { errorLabels }: BoardWords): ShownFacet | undefined {
    const facet = this.#view.facet(key, shownValues);
    if (facet === undefined) return undefined;
    return {
      ...facet,
      values: facet.values.map((each) => ({ ...each, label: describeValue(key, each.value, errorLabels) })),
    };
  }

  #isNumeric(key: string): boolean {
    return key === 'processing_time' || this.data.columns.column(key)?.isNumeric === true;
  }

  #cell(key: string, row: number, { errorLabels }: BoardWords, time: Intl.DateTimeFormat): string | undefined {
    const { columns } = this.data;
    switch (key) {
      case 'label':
        return labelOf(this.data, row);
      case 'created_at':
        return formatTime(columns.created[row], time);
      case 'completed_at':
        return formatTime(columns.completed[row], time);
      case 'processing_time': {
        const tookMs = columns.processingMs(row);
        return Number.isNaN(tookMs) ? undefined : formatElapsed(tookMs);
      }
      default: {
        const value = columns.column(key)?.value(row);
        return value === undefined ? undefined : describeValue(key, value, errorLabels, 'job');
      }
    }
  }
}

/** The time that a filter stands for; where it does not say, the time of the jobs. */
function windowOf(created: Float64Array, time: FilterTime, atMs: number): TimeRange {
  let [first, last] = [Infinity, -Infinity];
  for (const at of created) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  const found = first <= last ? { fromMs: first, toMs: last + 1 } : { fromMs: atMs - 3_600_000, toMs: atMs };
  if (time.type === 'last') return { fromMs: atMs - time.hours * 3_600_000, toMs: Math.max(atMs, found.toMs) };
  if (time.type !== 'range') return found;
  return {
    fromMs: time.after === undefined ? found.fromMs : Date.parse(time.after),
    toMs: time.before === undefined ? found.toMs : Date.parse(time.before),
  };
}

function formatTime(atMs: number | undefined, format: Intl.DateTimeFormat): string | undefined {
  return atMs === undefined || Number.isNaN(atMs) ? undefined : format.format(atMs);
}
