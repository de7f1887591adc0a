import * as vscode from 'vscode';
import { findMatchedFields, type JobQuery } from '../../../jobs/common/findJobs.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import { buildJobRow, type RowFacts, describeKind, describeStatus } from '../../../jobs/common/jobRow.ts';
import { formatNumber } from '../../../base/format.ts';
import { WorkSlices } from '../../../base/clock.ts';
import { plainLabel } from '../../../platform/editor/quickPick.ts';

/** An item of the find quick pick and the job or action that it represents. */
export type FindItem = vscode.QuickPickItem & {
  readonly value?:
    | { readonly for: 'job'; readonly job: Job }
    | { readonly for: 'link'; readonly link: vscode.Uri }
    | { readonly for: 'further'; readonly filtered: boolean }
    | { readonly for: 'stop' };
};

/** State of a search of further pages. */
export interface FurtherState {
  readonly found: readonly Job[];
  readonly read: number;
  /** The outcome as text; undefined while the search runs. */
  readonly outcome: string | undefined;
  /** Scope that was searched completely, according to the service's responses: every job, or every job within the filter. */
  readonly complete?: 'all' | 'filtered';
  /** Failed search that can be retried: with the filter or without it. */
  readonly again?: { readonly filtered: boolean };
  /** True if the jobs of an earlier search were searched, without a request to the service. */
  readonly isEarlier?: boolean;
}

/** Builds the items for a query. Building a job's item reads the whole job, so items are cached. */
export class FindRows {
  readonly #query: JobQuery;
  readonly #facts: RowFacts;
  readonly #whole: (job: Job) => Job | undefined;
  readonly #unread: number;
  readonly #rows = new Map<Job, FindItem>();

  /**
   * @param whole returns a job with its result; undefined if it is no longer available
   * @param unread number of transcripts of loaded jobs that could not be searched
   */
  constructor(query: JobQuery, facts: RowFacts, whole: (job: Job) => Job | undefined, unread: number) {
    this.#query = query;
    this.#facts = facts;
    this.#whole = whole;
    this.#unread = unread;
  }

  /**
   * @param further undefined until further pages are searched.
   * @param isFiltered true if further pages can be searched with or without a filter.
   * @param max upper bound of items that a search of further pages reads.
   */
  items(
    loaded: readonly Job[],
    further: FurtherState | undefined,
    isFiltered: boolean,
    max: number,
  ): readonly FindItem[] {
    const { l10n } = vscode;
    const rows = loaded.map((job) => this.#row(job));
    if (this.#query.words.length === 0) return rows;
    const hasFound = further !== undefined && further.found.length > 0;
    // "No match" is reported only for a complete search.
    const complete = this.#unread === 0 ? further?.complete : undefined;
    const isOfLoaded = rows.length > 0 || (!hasFound && complete === undefined);
    return [
      ...(isOfLoaded ? [separator(l10n.t('loaded jobs'))] : []),
      ...(rows.length > 0 || hasFound ? rows : [note(noneText(complete, further?.isEarlier))]),
      ...(this.#unread === 0
        ? []
        : [note(l10n.t('Not searched: transcripts no longer in memory ({0})', this.#number(this.#unread)))]),
      separator(l10n.t('on the service')),
      ...(further?.found ?? []).map((job) => this.#row(job)),
      ...(further === undefined ? this.#offers(isFiltered, max) : this.#progress(further, max)),
    ];
  }

  /** Builds the items of jobs in slices, because each of them reads a whole job. Ends early when the signal fires. */
  async prepare(jobs: readonly Job[], signal: AbortSignal): Promise<void> {
    const slices = new WorkSlices();
    for (const job of jobs) {
      await slices.rest();
      if (signal.aborted) return;
      this.#row(job);
    }
  }

  #offers(isFiltered: boolean, max: number): readonly FindItem[] {
    const { l10n } = vscode;
    if (!isFiltered) return [this.#offer(l10n.t('Search the service'), false, max)];
    return [
      this.#offer(l10n.t('Search the service within the filter'), true, max),
      this.#offer(l10n.t('Search the service without the filter'), false, max),
    ];
  }

  #offer(label: string, filtered: boolean, max: number): FindItem {
    return {
      label: `$(search) ${label}`,
      description: vscode.l10n.t('up to {0} jobs', this.#number(max)),
      alwaysShow: true,
      value: { for: 'further', filtered },
    };
  }

  /** Returns the progress text of a search of further pages. */
  progressText({ read }: FurtherState): string {
    return vscode.l10n.t('{0} jobs searched…', this.#number(read));
  }

  #progress(further: FurtherState, max: number): readonly FindItem[] {
    const { l10n } = vscode;
    if (further.outcome !== undefined) {
      const { again, isEarlier } = further;
      if (isEarlier === true) {
        return [note(further.outcome), this.#offer(l10n.t('Search the service again'), false, max)];
      }
      if (again === undefined) return [note(further.outcome)];
      const label = `$(refresh) ${l10n.t('Try Again')}`;
      return [note(further.outcome, 'warning'), { label, alwaysShow: true, value: { for: 'further', ...again } }];
    }
    return [
      {
        label: `$(loading~spin) ${this.progressText(further)}`,
        description: l10n.t('Stop'),
        alwaysShow: true,
        value: { for: 'stop' },
      },
    ];
  }

  #row(job: Job): FindItem {
    const row = this.#rows.get(job) ?? this.#newRow(job);
    this.#rows.set(job, row);
    return row;
  }

  #newRow(job: Job): FindItem {
    const { label, description } = buildJobRow(job, this.#facts);
    const where = findMatchedFields(this.#whole(job) ?? job, this.#query);
    return {
      label: plainLabel(label),
      description: plainLabel(
        [describeStatus(job.status).text, describeKind(job.kind), description].filter(Boolean).join(' · '),
      ),
      detail: plainLabel([...where, job.id].join(' · ')),
      alwaysShow: true,
      value: { for: 'job', job },
    };
  }

  #number(value: number): string {
    return formatNumber(value, this.#facts.locale);
  }
}

/**
 * Returns the job that the editor puts above all others, regardless of the order of the items, because its label contains the typed text:
 * first labels that begin with it, shorter ones first, then labels that end with it. Returns undefined if no label contains it.
 */
export function firstByLabel(items: readonly FindItem[], typed: string): FindItem | undefined {
  const text = typed.trim().toLowerCase();
  const labelOf = ({ label }: FindItem): string => label.toLowerCase();
  const having = items.filter((item) => item.value?.for === 'job' && text !== '' && labelOf(item).includes(text));
  const rankOf = (item: FindItem): number =>
    labelOf(item).startsWith(text) ? labelOf(item).length - 1e6 : labelOf(item).endsWith(text) ? 0 : 1;
  return having.toSorted(
    (a, b) => rankOf(a) - rankOf(b) || labelOf(a).localeCompare(labelOf(b), undefined, { numeric: true }),
  )[0];
}

/** Returns the item for a link to a job. */
export function linkItem(link: vscode.Uri): FindItem {
  return {
    label: `$(link) ${vscode.l10n.t('Open the linked job')}`,
    alwaysShow: true,
    value: { for: 'link', link },
  };
}

/** True if two items represent the same job or action. */
export function isSameItem({ value: one }: FindItem, other: FindItem | undefined): boolean {
  const { value } = other ?? {};
  if (one?.for !== 'job' || value?.for !== 'job') return one?.for === value?.for;
  return jobKey(one.job) === jobKey(value.job);
}

/** @param isEarlier true if the jobs were read for an earlier text: others may have been created since */
function noneText(complete: FurtherState['complete'], isEarlier = false): string {
  const { l10n } = vscode;
  if (complete === undefined) return l10n.t('No match in loaded jobs');
  if (isEarlier) return l10n.t('No match in the jobs that were read');
  return complete === 'all' ? l10n.t('No job matches') : l10n.t('No job within the filter matches');
}

function separator(label: string): FindItem {
  return { label, kind: vscode.QuickPickItemKind.Separator };
}

function note(text: string, icon = 'info'): FindItem {
  return { label: `$(${icon}) ${text}`, alwaysShow: true };
}
