import { type Job, jobKey } from '../../../jobs/common/job.ts';
import { isUnfiltered } from '../../../jobs/common/jobFilter.ts';
import type { ListQuery } from '../../../jobs/common/listParams.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import * as vscode from 'vscode';
import { isFailure } from '../../../base/failure.ts';
import { failureText } from '../../../base/failureText.ts';
import { readJobLink } from '../../../jobs/common/jobLink.ts';
import { parseJobQuery, wantedInTranscript, type JobQuery } from '../../../jobs/common/findJobs.ts';
import type { RowFacts } from '../../../jobs/common/jobRow.ts';
import { formatNumber } from '../../../base/format.ts';
import { HeldJobs, LoadedSearch, searchPages, type SearchOutcome } from '../../../jobs/node/jobSearch.ts';
import type { Log } from '../../../base/log.ts';
import { bulkLimit } from '../../../jobs/node/list/jobPager.ts';
import { runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import { knownJobs } from '../../../jobs/common/knownJobs.ts';
import { FindRows, firstByLabel, isSameItem, linkItem, type FindItem, type FurtherState } from './findRows.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';
import type { Services } from '../../../services.ts';

/** Opens the quick pick that finds a job: shows matches while the user types and opens the picked one. */
export function findJob(services: Services): FindPick {
  const { log, jobs, service, facts, actions } = services;
  return new FindPick({
    log,
    jobs: knownJobs(jobs, actions.attention.current()),
    whole: (job) => jobs.whole(job),
    isFiltered: !isUnfiltered(jobs.filter),
    source: () => service.connected(),
    queries: (filtered) => queriesOf(jobs, filtered),
    facts: facts.now(),
    pick: (job, typed) => show(services, job, typed),
    openLink: (link) => actions.details.openJobLink(link),
  });
}

/** Returns the queries for the lists of all kinds, with or without the current filter. */
function queriesOf(store: JobStore, filtered: boolean): readonly ListQuery[] {
  return store.queries().map((query) => {
    if (filtered) return query;
    const { kinds } = query.params;
    return { ...query, params: kinds === undefined ? {} : { kinds } };
  });
}

async function show({ log, jobs, actions }: Services, found: Job, typed: string): Promise<void> {
  const loaded = jobs.get(found.kind, found.id);
  void runCommand(log, () => actions.details.openJob(loaded ?? found, wantedInTranscript(found, typed)));
  if (loaded !== undefined) await actions.tree.revealJob(loaded);
}

/** Options of {@link FindPick}. */
export interface FindPickOptions {
  readonly log: Log;
  /** Jobs to search, each once. */
  readonly jobs: Iterable<Job>;
  /** Returns a job with its result; undefined if it is no longer available. */
  readonly whole: (job: Job) => Job | undefined;
  /** True if a filter is set, so that further pages can be searched with or without it. */
  readonly isFiltered: boolean;
  readonly source: () => ListReader;
  /** The lists whose pages are searched on request. */
  readonly queries: (filtered: boolean) => readonly ListQuery[];
  readonly facts: RowFacts;
  readonly pick: (job: Job, typed: string) => Promise<void>;
  readonly openLink: (link: vscode.Uri) => unknown;
}

interface FurtherSearch {
  readonly stop: AbortController;
  state: FurtherState;
}

/** Results of a search of the whole service, so that the next text needs no requests. */
interface EarlierSearch extends Pick<FurtherState, 'read' | 'outcome'> {
  readonly search: LoadedSearch;
}

/** Maximum number of matches shown. */
const maxShown = 100;
/** Maximum number of items read by one search of further pages: about 200 requests. */
const maxRead = 20_000;

/** The quick pick that finds a job by id or metadata: among loaded jobs and, on request, on further pages. */
export class FindPick extends DisposableOwner {
  readonly #options: FindPickOptions;
  readonly #pick = this.own(vscode.window.createQuickPick<FindItem>());
  #search: LoadedSearch;
  #rows: FindRows;
  #looking = new AbortController();
  #found: readonly Job[] = [];
  #further: FurtherSearch | undefined;
  #earlier: EarlierSearch | undefined;
  /** The item that the user has moved to since the search began. */
  #chosen: FindItem | undefined;
  /** Item set as active, until the editor reports it. Before that, the editor reports other items that the user did not choose. */
  #awaited: FindItem | undefined;

  constructor(options: FindPickOptions) {
    super();
    this.#options = options;
    this.#search = new LoadedSearch(options.jobs, options.whole);
    this.#rows = new FindRows(parseJobQuery(''), options.facts, options.whole, 0);
    const pick = this.#pick;
    pick.placeholder = vscode.l10n.t('ID, request ID, metadata, parameters or words of the transcript of a job');
    pick.matchOnDescription = true;
    pick.matchOnDetail = true;
    pick.keepScrollPosition = true;
    pick.onDidChangeValue(() => this.#updateRows());
    pick.onDidChangeActive(([active]) => {
      if (this.#awaited === undefined) this.#chosen = active;
      else if (active === this.#awaited) this.#awaited = undefined;
    });
    pick.onDidAccept(() => this.#accept(pick.selectedItems[0]));
    pick.onDidTriggerButton(() => this.#further?.stop.abort());
    pick.onDidHide(() => this.dispose());
    this.own({
      dispose: () => {
        this.#looking.abort();
        this.#further?.stop.abort();
        // Releases the jobs for holders of the closed pick.
        this.#further = undefined;
        this.#earlier = undefined;
        this.#search = new LoadedSearch([], options.whole);
      },
    });
    this.#draw();
    pick.show();
    this.#updateRows();
  }

  /** Searches the loaded jobs for the current text, and the jobs read by an earlier search. */
  #updateRows(): void {
    this.#looking.abort();
    this.#further?.stop.abort();
    this.#further = undefined;
    this.#pick.ignoreFocusOut = false;
    const looking = (this.#looking = new AbortController());
    const query = parseJobQuery(this.#pick.value);
    this.#pick.busy = true;
    void runQuietly(this.#options.log, async () => {
      const found = await this.#search.find(query, maxShown, looking.signal);
      if (found === undefined) return;
      const rows = new FindRows(query, this.#options.facts, this.#options.whole, this.#search.unread);
      await rows.prepare(found, looking.signal);
      const further = await this.#lookFurther(query, found, rows, looking.signal);
      if (looking.signal.aborted) return;
      this.#found = found;
      this.#rows = rows;
      if (further !== undefined) {
        this.#further = { stop: looking, state: further };
        this.#chosen = undefined;
      }
      this.#pick.busy = false;
      this.#draw();
    });
  }

  /** Searches the jobs of an earlier search besides `known`; undefined without such a search. */
  async #lookFurther(
    query: JobQuery,
    known: readonly Job[],
    rows: FindRows,
    signal: AbortSignal,
  ): Promise<FurtherState | undefined> {
    if (this.#earlier === undefined || query.words.length === 0) return undefined;
    const { search, read, outcome } = this.#earlier;
    const all = (await search.find(query, maxShown + known.length, signal)) ?? [];
    const found = without(known, all).slice(0, maxShown);
    await rows.prepare(found, signal);
    return { found, read, outcome, complete: 'all', isEarlier: true };
  }

  #accept(item: FindItem | undefined): void {
    const { log, pick, openLink } = this.#options;
    const { value } = item ?? {};
    switch (value?.for) {
      case 'job': {
        const typed = this.#pick.value;
        this.#pick.hide();
        void runCommand(log, () => pick(value.job, typed));
        break;
      }
      case 'link':
        this.#pick.hide();
        void openLink(value.link);
        break;
      case 'further':
        void runCommand(log, () => this.#searchFurther(value.filtered));
        break;
      case 'stop':
        this.#further?.stop.abort();
        break;
      case undefined:
        break;
    }
  }

  async #searchFurther(filtered: boolean): Promise<void> {
    const further: FurtherSearch = {
      stop: new AbortController(),
      state: { found: [], read: 0, outcome: undefined },
    };
    const publish = (changes: Partial<FurtherState>): void => {
      if (this.#further !== further) return;
      further.state = { ...further.state, ...changes };
      this.#draw();
    };
    const held = new HeldJobs();
    this.#further = further;
    this.#chosen = undefined;
    this.#pick.busy = true;
    // Losing focus must not end the search.
    this.#pick.ignoreFocusOut = true;
    publish({});
    const { text, hasFailed, isComplete } = await this.#readFurther(filtered, further.stop.signal, publish, held);
    if (this.#further !== further) return;
    this.#pick.busy = false;
    this.#pick.ignoreFocusOut = false;
    const searched = text(formatNumber(further.state.read, this.#options.facts.locale));
    const hasNone = this.#found.length === 0 && further.state.found.length === 0 && !isComplete && !hasFailed;
    const outcome = hasNone ? vscode.l10n.t('No match. {0}', searched) : searched;
    if (isComplete && !filtered) this.#earlier = earlierSearch(held, further.state.read, outcome);
    const complete = filtered ? 'filtered' : 'all';
    publish({ outcome, ...(isComplete && { complete }), ...(hasFailed && { again: { filtered } }) });
  }

  /** Reads further pages, shows their matches and keeps their jobs. The returned `text` formats the outcome for a number of jobs. */
  async #readFurther(
    filtered: boolean,
    signal: AbortSignal,
    publish: (changes: Partial<FurtherState>) => void,
    held: HeldJobs,
  ): Promise<{ readonly text: (jobs: string) => string; readonly hasFailed: boolean; readonly isComplete: boolean }> {
    const { l10n } = vscode;
    const { source, queries } = this.#options;
    const known = this.#found;
    const found: Job[] = [];
    const rows = this.#rows;
    try {
      const outcome = await searchPages(source(), queries(filtered), {
        query: parseJobQuery(this.#pick.value),
        limit: bulkLimit,
        max: maxRead,
        signal,
        onPage: async (matching, read, jobs) => {
          held.add(jobs);
          found.push(...without(known, matching));
          await rows.prepare(found.slice(0, maxShown), signal);
          publish({ found: found.slice(0, maxShown), read });
        },
      });
      return { text: (jobs) => outcomeText(outcome, jobs), hasFailed: false, isComplete: outcome === 'all' };
    } catch (error) {
      if (!isFailure(error)) throw error;
      if (error.code === 'cancelled')
        return { text: (jobs) => l10n.t('Stopped after {0} jobs', jobs), hasFailed: false, isComplete: false };
      return { text: () => failureText(error).sentence, hasFailed: true, isComplete: false };
    }
  }

  #draw(): void {
    const link = linkIn(this.#pick.value);
    const further = link === undefined ? this.#further?.state : undefined;
    const wordsValue = further && (further.outcome ?? this.#rows.progressText(further));
    this.#pick.title =
      wordsValue === undefined
        ? vscode.l10n.t({ message: 'Find Job', comment: ['any job'] })
        : vscode.l10n.t('Find Job · {0}', wordsValue);
    this.#pick.buttons = further !== undefined && further.outcome === undefined ? [stopButton()] : [];
    if (link !== undefined) {
      this.#pick.items = [linkItem(link)];
      return;
    }
    const items = this.#rows.items(this.#found, further, this.#options.isFiltered, maxRead);
    this.#pick.items = items;
    // While pages arrive, Enter stops the search, or runs the item that the user has moved to; otherwise it opens the first item.
    const { value } = this.#chosen ?? {};
    const same = value && further && items.find((item) => isSameItem(item, this.#chosen));
    const isRunning = further !== undefined && further.outcome === undefined;
    const next =
      same ??
      (isRunning
        ? items.find((item) => item.value?.for === 'stop')
        : (firstByLabel(items, this.#pick.value) ?? items.find((item) => item.value !== undefined)));
    this.#awaited = next;
    if (next !== undefined) this.#pick.activeItems = [next];
  }
}

/** Returns the jobs that are not among the known ones. */
function without(known: readonly Job[], jobs: readonly Job[]): readonly Job[] {
  const keys = new Set(known.map(jobKey));
  return jobs.filter((job) => !keys.has(jobKey(job)));
}

function earlierSearch({ jobs }: HeldJobs, read: number, outcome: string): EarlierSearch | undefined {
  return jobs && { search: new LoadedSearch(jobs, (job) => job), read, outcome };
}

function outcomeText(outcome: SearchOutcome, jobs: string): string {
  switch (outcome) {
    case 'found':
      return vscode.l10n.t('Found within {0} jobs', jobs);
    case 'all':
      return vscode.l10n.t('All {0} jobs were searched', jobs);
    case 'unproved':
      return vscode.l10n.t('{0} jobs were searched; there may be more', jobs);
    case 'bounded':
      return vscode.l10n.t('{0} jobs were searched, as many as one search reads; there are more', jobs);
  }
}

/** Returns the link to a job that was typed or pasted. */
function linkIn(typed: string): vscode.Uri | undefined {
  const text = typed.trim();
  if (!/^[a-z][a-z\d+.-]*:\/\//i.test(text)) return undefined;
  const link = vscode.Uri.parse(text);
  return readJobLink(link) === undefined ? undefined : link;
}

function stopButton(): vscode.QuickInputButton {
  return { iconPath: new vscode.ThemeIcon('debug-stop'), tooltip: vscode.l10n.t('Stop searching') };
}
