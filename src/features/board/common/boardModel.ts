import { hourMs } from '../../../base/time.ts';
import type { FilterTime } from '../../../jobs/common/jobFilter.ts';
import type { Locale } from '../../../base/format.ts';
import { isJobStatus, jobKey, type Job } from '../../../jobs/common/job.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import type { BoardFinding, BoardRow, PlaceRange, ShownFacet, ShownView } from './boardProtocol.ts';
import type { BoardLayout } from './boardStorage.ts';
import { maxSliceRows } from './boardProtocol.ts';
import { describeField, describeValue, timeFormat } from './boardText.ts';
import {
  BoardView,
  labelOf,
  sortRows,
  sortRowsInParts,
  type BoardConditions,
  type BoardData,
  type BoardOrder,
  type FacetCondition,
  type TimeRange,
} from './boardView.ts';
import { chooseFacets, chooseFacetsInSteps } from './chooseFacets.ts';
import { explainGroup, minHits } from './explainGroup.ts';
import { boardColumn, boardColumns, type TimeFormat } from './boardColumns.ts';
import { chooseTimed, layTimeline, measurePulse, measureTimes, type Timeline } from './pulse.ts';
import {
  isOfAllFailures,
  isOutcome,
  isSupportedIn,
  paramsOfConditions,
  selectsFailures,
  unsupportedOf,
} from './supportedConditions.ts';

/** Formatting context of the rows. */
export interface BoardWords {
  readonly locale: Locale;
  readonly errorLabels: Readonly<Record<string, string>>;
}

/** Part of a {@link ShownView} that depends on the rows. */
export type ModelView = Pick<
  ShownView,
  | 'failed'
  | 'times'
  | 'rows'
  | 'columns'
  | 'keys'
  | 'numeric'
  | 'empty'
  | 'order'
  | 'conditions'
  | 'range'
  | 'facets'
  | 'pulse'
  | 'canFilter'
  | 'unsupported'
  | 'slice'
  | 'read'
  | 'lacksKeys'
>;

/** Maximum number of values shown per facet, besides those with a condition. */
const shownValues = 8;
/** Maximum number of cached sort orders. */
const maxOrders = 8;

/** Model of a board: its jobs under its conditions and in its order, ready to be shown. */
export class BoardModel {
  readonly data: BoardData;
  readonly #timeline: Timeline;
  #facetKeys: readonly string[] | undefined;
  readonly #orders = new Map<string, readonly number[]>();
  #conditions: BoardConditions = { facets: [], range: undefined };
  #layout: BoardLayout;
  /** Views with and without the brushed range; computed on demand. */
  #views: readonly [view: BoardView, whole: BoardView] | undefined;

  /** @param atMs time when the jobs were read; a relative window counts back from it */
  constructor(data: BoardData, layout: BoardLayout, conditions: BoardConditions, time: FilterTime, atMs: number) {
    this.data = data;
    this.#layout = layout;
    const window = windowOf(data.columns.created.slice(0, data.size), time, atMs);
    this.#timeline = layTimeline(data, window, this.#orderOf({ key: 'processing_time', isDescending: false }));
    this.#conditions = conditions;
  }

  get view(): BoardView {
    return this.#currentViews()[0];
  }

  narrow(conditions: BoardConditions): void {
    this.#conditions = conditions;
    this.#views = undefined;
  }

  arrange(layout: BoardLayout): void {
    this.#layout = layout;
    this.#views = undefined;
  }

  /** Chooses facets, and sorts the rows for an order that may be shown next. Yields between parts of the work. */
  async prepare(order: BoardOrder, rest: () => Promise<void>): Promise<void> {
    const steps = chooseFacetsInSteps(this.data);
    while (this.#facetKeys === undefined) {
      const step = steps.next();
      if (step.done === true) this.#facetKeys = step.value;
      else await rest();
    }
    const name = nameOf(order);
    if (!this.#orders.has(name)) this.#keep(name, await sortRowsInParts(this.data, order, rest));
  }

  /** Returns the whole view with the rows of a viewport. */
  show(viewport: PlaceRange, words: BoardWords): ModelView {
    const { columns, size } = this.data;
    const conditioned = this.#conditions.facets.map(({ key }) => key);
    this.#facetKeys ??= chooseFacets(this.data);
    const keys = [...new Set([...this.#facetKeys, ...conditioned])];
    const metadata = columns.values.map(({ key }) => key).filter((key) => key.includes('.'));
    const { range } = this.#conditions;
    const [view, whole] = this.#currentViews();
    const timed = chooseTimed(view, this.#timeline);
    return {
      failed: view.failed,
      times: measureTimes(timed, this.#timeline),
      rows: view.rows.length,
      columns: this.#layout.columns,
      keys: [...boardColumns.map(({ key }) => key), ...metadata],
      numeric: this.#layout.columns.flatMap(({ key }) => (this.#isNumeric(key) ? [key] : [])),
      empty: [],
      order: this.#layout.order,
      conditions: this.#conditions.facets,
      range,
      facets: keys.flatMap((key) => this.#facet(key, words) ?? []),
      pulse: measurePulse(whole, this.#timeline, whole === view ? timed : undefined),
      canFilter: range !== undefined || Object.keys(this.paramsOf(this.#conditions.facets)).length > 0,
      unsupported: this.unsupported(this.#conditions.facets),
      slice: this.slice(viewport, words),
      read: size,
      lacksKeys: columns.lacksKeys,
    };
  }

  /** Returns the rows of a range of places in the table, at most {@link maxSliceRows}. */
  slice({ from, to }: PlaceRange, words: BoardWords): ShownView['slice'] {
    const { columns } = this.data;
    const keys = this.#layout.columns.map(({ key }) => key);
    const time = timeFormat(words.locale, { dateStyle: 'short', timeStyle: 'short' });
    const rows = this.view.rows.slice(from, Math.min(to, from + maxSliceRows));
    return {
      from,
      rows: rows.map((row): BoardRow => {
        const status = columns.column('status')?.value(row) ?? '';
        return {
          tone: isJobStatus(status) ? status : 'unknown',
          cells: keys.map((key) => this.#cell(key, row, words, time)),
        };
      }),
    };
  }

  /** Returns the rows at selected places. Skips places that do not exist. */
  rowsAt(selected: readonly PlaceRange[]): readonly number[] {
    const rows = new Set<number>();
    for (const { from, to } of selected) for (const row of this.view.rows.slice(from, to)) rows.add(row);
    return [...rows];
  }

  /**
   * Finds how a group of jobs differs: the failures among the jobs that meet the other conditions, at any time; the jobs in the brushed
   * range compared with the earlier ones; or the selected jobs compared with all others. If a range contains only
   * failures, compares all failures with the jobs that did not fail. If too few of these meet the conditions, includes jobs that don't.
   */
  async explain(
    asked: BoardFinding['of'],
    selected: readonly PlaceRange[],
    rest: () => Promise<void>,
  ): Promise<BoardFinding> {
    const { columns, isPart } = this.data;
    const { facets, range } = this.#conditions;
    const of = asked === 'range' && facets.some(selectsFailures) ? 'failures' : asked;
    const byTime = this.#orderOf({ key: 'created_at', isDescending: false });
    const { rows, isHit, isAmongAll = false, among = [] } = this.#groupOf(of, selected, byTime);
    const isOfFailures = of === 'failures';
    // The conditions may change while other work runs.
    const unsupported = this.unsupported(facets, of);
    const hasCode = facets.some(({ key }) => key === 'error_code');
    const isNarrowed = isAmongAll || (isOfFailures && facets.some((each) => isOutcome(each) && !isOfAllFailures(each)));
    const standouts = await explainGroup(columns, rows, isHit, {
      withTime: isOfFailures,
      withOutcomes: !isOfFailures,
      rest,
    });
    return {
      of,
      conditions: facets,
      range: isOfFailures ? undefined : range,
      isNarrowed,
      among,
      group: rows.filter(isHit).length,
      compared: rows.length,
      standouts: standouts.map(({ shared, time, having, rest, incident, code }) => ({
        shared: shared.map(({ key, value }) => ({ key, value, isExcluded: false })),
        time,
        having,
        rest,
        incident: isOfFailures && !isNarrowed ? incident : undefined,
        code: isOfFailures && !hasCode ? code : undefined,
        canFilter: shared.some(({ key, value }) => isSupportedIn(columns, { key, value, isExcluded: false })),
      })),
      unsupported,
      isPart,
    };
  }

  /** Returns the parameters of contract 4.5 for the conditions that it has a filter for. */
  paramsOf(conditions: readonly FacetCondition[]): Pick<ListParams, 'statuses' | 'customMetadata'> {
    return paramsOfConditions(this.data.columns, conditions);
  }

  /**
   * Returns the conditions that a filter of the jobs view leaves out.
   * @param of the finding that the filter is for. A finding about failures queries for failures, regardless of the statuses
   */
  unsupported(conditions: readonly FacetCondition[], of?: BoardFinding['of']): readonly FacetCondition[] {
    const unsupported = unsupportedOf(this.data.columns, conditions);
    return of === 'failures' ? unsupported.filter(({ key }) => key !== 'status') : unsupported;
  }

  #groupOf(of: BoardFinding['of'], selected: readonly PlaceRange[], byTime: readonly number[]) {
    const { columns } = this.data;
    switch (of) {
      case 'failures': {
        const { facets } = this.#conditions;
        const look = (some: typeof facets): BoardView =>
          new BoardView(this.data, { facets: some, range: undefined }, byTime);
        const group = look(facets);
        const statusOf = (row: number): string | undefined => columns.column('status')?.value(row);
        const isHit = (row: number): boolean => statusOf(row) === 'error' && group.passes(row);
        // Unfinished jobs have not failed yet. Counting them among the others would end every incident.
        const finished = ({ rows }: BoardView): readonly number[] =>
          rows.filter((row) => statusOf(row) === 'error' || statusOf(row) === 'done');
        const among = facets.filter((each) => !isOutcome(each));
        const rows = finished(look(among));
        // If nearly all jobs with these values failed, only jobs with other values show what is special about them.
        const isAmongAll = rows.filter((row) => !isHit(row)).length < minHits && among.length > 0;
        return isAmongAll ? { rows: finished(look([])), isHit, isAmongAll } : { rows, isHit, among };
      }
      case 'range': {
        const [view, whole] = this.#currentViews();
        const { range } = this.#conditions;
        const before = whole.rows.filter((row) => (columns.created[row] ?? NaN) < (range?.toMs ?? Infinity));
        const hits = view.rows.length;
        return { rows: hits * 2 > before.length ? whole.rows : before, isHit: (row: number) => view.passes(row) };
      }
      case 'selection': {
        const chosen = new Set(this.rowsAt(selected));
        return { rows: this.view.rows, isHit: (row: number) => chosen.has(row) };
      }
    }
  }

  #currentViews(): readonly [view: BoardView, whole: BoardView] {
    if (this.#views !== undefined) return this.#views;
    const order = this.#orderOf(this.#layout.order);
    const look = (conditions: BoardConditions): BoardView => new BoardView(this.data, conditions, order);
    const { facets, range } = this.#conditions;
    const view = look(this.#conditions);
    return (this.#views = [view, range === undefined ? view : look({ facets, range: undefined })]);
  }

  #orderOf(order: BoardOrder): readonly number[] {
    const name = nameOf(order);
    return this.#orders.get(name) ?? this.#keep(name, sortRows(this.data, order));
  }

  #keep(name: string, rows: readonly number[]): readonly number[] {
    if (this.#orders.size >= maxOrders) this.#orders.clear();
    this.#orders.set(name, rows);
    return rows;
  }

  #facet(key: string, { errorLabels }: BoardWords): ShownFacet | undefined {
    const facet = this.view.facet(key, shownValues);
    if (facet === undefined) return undefined;
    return {
      ...facet,
      values: facet.values.map((each) => ({ ...each, label: describeValue(key, each.value, errorLabels) })),
    };
  }

  #isNumeric(key: string): boolean {
    return (boardColumn(key)?.isNumeric ?? this.data.columns.column(key)?.isNumeric) === true;
  }

  /** Returns the columns as shown, with the texts of the jobs at places: times in UTC, so that a spreadsheet can sort them. */
  table(
    selected: readonly PlaceRange[],
    words: BoardWords,
  ): { readonly titles: readonly string[]; readonly cellsOf: (job: Pick<Job, 'kind' | 'id'>) => readonly string[] } {
    const { columns } = this.data;
    const keys = this.#layout.columns.map(({ key }) => key);
    const [kinds, ids] = [columns.column('kind'), columns.column('id')];
    const keyOf = (row: number): string => jobKey({ kind: kinds?.value(row) ?? '', id: ids?.value(row) ?? '' });
    const rows = new Map(this.rowsAt(selected).map((row) => [keyOf(row), row]));
    const time = { format: (atMs: number): string => new Date(atMs).toISOString() };
    return {
      titles: keys.map(describeField),
      cellsOf: (job) => {
        const row = rows.get(jobKey(job));
        return keys.map((key) => (row === undefined ? undefined : this.#cell(key, row, words, time)) ?? '');
      },
    };
  }

  #cell(key: string, row: number, { errorLabels }: BoardWords, time: TimeFormat): string | undefined {
    const { columns } = this.data;
    if (key === 'label') return labelOf(this.data, row);
    const { numberOf, format } = boardColumn(key) ?? {};
    const number = numberOf?.(columns, row);
    if (number !== undefined) return Number.isNaN(number) ? undefined : format?.(number, time);
    const value = columns.column(key)?.value(row);
    return value === undefined ? undefined : describeValue(key, value, errorLabels, 'job');
  }
}

function nameOf({ key, isDescending }: BoardOrder): string {
  return JSON.stringify([key, isDescending]);
}

/** Returns the time range of a filter. Without bounds in the filter, uses the times of the jobs. */
function windowOf(created: readonly number[], time: FilterTime, atMs: number): TimeRange {
  let [first, last] = [Infinity, -Infinity];
  for (const at of created) {
    if (at < first) first = at;
    if (at > last) last = at;
  }
  const found = first <= last ? { fromMs: first, toMs: last + 1 } : { fromMs: atMs - hourMs, toMs: atMs };
  if (time.type === 'last') return { fromMs: atMs - time.hours * hourMs, toMs: Math.max(atMs, found.toMs) };
  if (time.type !== 'range') return found;
  return {
    fromMs: time.after === undefined ? found.fromMs : Date.parse(time.after),
    toMs: time.before === undefined ? Math.max(atMs, found.toMs) : Date.parse(time.before),
  };
}
