import * as vscode from 'vscode';
import {
  describeFilterMetadata,
  describeFilter,
  describeFilterTime,
  formatPair,
  describeStatuses,
} from '../../../jobs/common/describeFilter.ts';
import { jobStatuses, type Job, type JobStatus } from '../../../jobs/common/job.ts';
import { isUnfiltered, noFilter, type JobFilter, buildFilterParams } from '../../../jobs/common/jobFilter.ts';
import { describeStatus } from '../../../jobs/common/jobRow.ts';
import type { Locale } from '../../../base/format.ts';
import type { JsonObject } from '../../../base/json/json.ts';
import { suggestMetadata } from '../../../jobs/common/findJobs.ts';
import type { KeySuggestion } from '../../../language/requestLanguage.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { pickOne, pickSeveral, plainLabel, type Choice, type PickAnswer } from '../../../platform/editor/quickPick.ts';
import { askPair } from './filterMetadataSteps.ts';
import { askTime } from '../../../jobs/editor/filterTimeSteps.ts';
import { ParameterError } from '../../../base/failure.ts';
import { describeParameterError } from '../../../base/failureText.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { knownJobs } from '../../../jobs/common/knownJobs.ts';
import { encodeListQuery } from '../../../jobs/node/api/listQuery.ts';
import type { Services } from '../../../services.ts';

/** Dependencies of {@link askFilter}. */
interface FilterPrompt {
  readonly present: JobFilter;
  /** The source of metadata suggestions. */
  readonly jobs: Iterable<Job>;
  /** Recently used filters, newest first. */
  readonly recent: readonly JobFilter[];
  readonly locale: Locale;
  readonly now: () => number;
  /** Returns the reason why a filter cannot be sent to the service; undefined if it can. */
  readonly problem: (filter: JobFilter) => string | undefined;
}

type FilterPick =
  | { readonly type: 'apply' | 'statuses' | 'time' | 'addPair' | 'clear' }
  | { readonly type: 'pair'; readonly key: string }
  /** Replaces the draft with a whole filter. */
  | { readonly type: 'use'; readonly filter: JobFilter };

/** Lets the user edit a filter condition by condition and apply it. Returns undefined if the user cancels. */
async function askFilter(prompt: FilterPrompt): Promise<JobFilter | undefined> {
  let draft = prompt.present;
  let suggestions: readonly KeySuggestion[] | undefined;
  for (;;) {
    const choices = aspects(draft, prompt);
    const answer = await pickOne<FilterPick>({
      title: vscode.l10n.t('Filter Jobs'),
      placeholder: vscode.l10n.t('Conditions that jobs must meet'),
      choices,
      active: choices[0],
      canGoBack: false,
    });
    if (answer.type === 'closed' || answer.type === 'back') return undefined;
    const aspect = answer.value;
    if (answer.type === 'button') {
      if (aspect.type === 'pair') draft = { ...draft, metadata: without(draft.metadata, aspect.key) };
      continue;
    }
    switch (aspect.type) {
      case 'apply':
        return draft;
      case 'use':
        return aspect.filter;
      case 'clear':
        draft = noFilter;
        continue;
      case 'statuses': {
        const step = await askStatuses(draft.statuses);
        if (step.type === 'closed') return undefined;
        if (step.type === 'picked') draft = { ...draft, statuses: step.value };
        continue;
      }
      case 'time': {
        const step = await askTime(draft.time, prompt.locale, prompt.now());
        if (step.type === 'closed') return undefined;
        if (step.type === 'picked') draft = { ...draft, time: step.value };
        continue;
      }
      case 'addPair':
      case 'pair': {
        suggestions ??= suggestMetadata(prompt.jobs);
        const present = aspect.type === 'pair' ? aspect.key : undefined;
        const { metadata } = draft;
        const step = await askPair(suggestions, present, ({ key, value }) =>
          prompt.problem({ ...noFilter, metadata: { [key]: value } }),
        );
        if (step.type === 'closed') return undefined;
        if (step.type === 'picked') draft = { ...draft, metadata: { ...metadata, [step.value.key]: step.value.value } };
      }
    }
  }
}

const failedToday: JobFilter = { ...noFilter, statuses: ['error'], time: { type: 'today', utc: false } };

/** Returns the quick filters, which are offered until the user changes a condition. */
function wholeFilters({ present, recent, locale }: FilterPrompt): readonly Choice<FilterPick>[] {
  const { l10n } = vscode;
  const choice = (filter: JobFilter, icon: string): Choice<FilterPick> => ({
    label: `$(${icon}) ${plainLabel(describeFilter(filter, locale))}`,
    value: { type: 'use', filter },
  });
  const others = recent.filter((filter) => ![present, failedToday].some((each) => isSame(filter, each)));
  return [
    { label: l10n.t('Quick filters'), kind: vscode.QuickPickItemKind.Separator },
    ...(isSame(present, failedToday) ? [] : [choice(failedToday, 'error')]),
    ...others.map((filter) => choice(filter, 'history')),
  ];
}

function aspects(draft: JobFilter, prompt: FilterPrompt): readonly Choice<FilterPick>[] {
  const { l10n } = vscode;
  const { present, locale } = prompt;
  const pairs = Object.entries(draft.metadata).map(([key, value]): Choice<FilterPick> => ({
    label: `$(tag) ${plainLabel(formatPair(key, value))}`,
    buttons: [{ iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Remove this condition') }],
    value: { type: 'pair', key },
  }));
  const apply: Choice<FilterPick> = {
    label: `$(check) ${isUnfiltered(draft) ? l10n.t('Show all jobs') : l10n.t('Show matching jobs')}`,
    description: plainLabel(describeFilter(draft, locale)),
    value: { type: 'apply' },
  };
  return [
    ...(isSame(draft, present) ? [] : [apply, separator]),
    {
      label: `$(circle-large-outline) ${l10n.t('Status')}`,
      description: describeStatuses(draft.statuses) || l10n.t('any status'),
      value: { type: 'statuses' },
    },
    {
      label: `$(calendar) ${l10n.t('Created')}`,
      description: describeFilterTime(draft.time, locale),
      value: { type: 'time' },
    },
    ...pairs,
    {
      label: `$(add) ${l10n.t('Metadata')}`,
      description: describeFilterMetadata(draft.metadata) === '' ? l10n.t('any metadata') : l10n.t('another condition'),
      value: { type: 'addPair' },
    },
    ...(isUnfiltered(draft)
      ? []
      : [separator, { label: `$(clear-all) ${l10n.t('Remove all conditions')}`, value: { type: 'clear' } } as const]),
    ...(isSame(draft, present) ? wholeFilters(prompt) : []),
  ];
}

const separator: Choice<never> = { label: '', kind: vscode.QuickPickItemKind.Separator };

async function askStatuses(present: readonly JobStatus[]): Promise<PickAnswer<readonly JobStatus[]>> {
  const choices = jobStatuses.map((status): Choice<JobStatus> => ({
    label: describeStatus(status, 'list').text,
    value: status,
  }));
  return pickSeveral({
    title: vscode.l10n.t('Filter Jobs: Status'),
    placeholder: vscode.l10n.t('Select statuses (none = all)'),
    choices,
    selected: choices.filter(({ value }) => value !== undefined && present.includes(value)),
    canGoBack: true,
  });
}

function isSame(one: JobFilter, other: JobFilter): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function without(metadata: JsonObject, key: string): JsonObject {
  return Object.fromEntries(Object.entries(metadata).filter(([each]) => each !== key));
}

/** Prompts for a filter that the current connection can encode. Returns undefined if the user cancels. */
export async function askForFilter(
  { jobs, connections, clock, actions }: Services,
  recent: readonly JobFilter[],
): Promise<JobFilter | undefined> {
  return askFilter({
    present: jobs.filter,
    jobs: knownJobs(jobs, actions.attention.current()),
    recent,
    locale,
    now: () => clock.now(),
    problem: (draft) => problemOf(draft, connections.current, clock.now()),
  });
}

/** Returns the reason why a filter cannot be sent over a connection; undefined if it can. */
function problemOf(filter: JobFilter, connection: Connection | undefined, nowMs: number): string | undefined {
  if (connection === undefined) return undefined;
  try {
    encodeListQuery(buildFilterParams(filter, nowMs), connection);
    return undefined;
  } catch (error) {
    if (error instanceof ParameterError) return describeParameterError(error);
    throw error;
  }
}
