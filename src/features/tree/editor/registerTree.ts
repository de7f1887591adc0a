import type { Disposable } from '../../../base/disposable.ts';
import type { Services } from '../../../services.ts';
import type { SavedViewRows } from './jobTreeItems.ts';
import { JobsView, type AttentionSection } from './jobsView.ts';
import { registerAutoRefresh, registerLoading } from './loadCommands.ts';

/** Registers the jobs view with its sections, which other features provide. */
export function registerTree(services: Services, attention: AttentionSection, views: SavedViewRows): Disposable {
  const { jobs, actions } = services;
  const view = new JobsView(services, attention, views);
  view.own(registerLoading(services, view, attention.monitor));
  view.own(registerAutoRefresh(services, view));
  actions.provide('tree', {
    chosenRows: (given) => view.rowsOf(given),
    chosenEntries: (given) => view.entriesOf(given),
    chosenJobs: (given) => view.jobsOf(given),
    chosenJobsWithin: (given) => view.jobsWithin(given),
    chosenQuery: (given) => view.queryOf(given),
    isListed: ({ kind, id }) => view.view.visible && jobs.placeOf(kind, id) !== undefined,
    revealJob: (job) => view.reveal(job),
    showNewJob: (kind, id) => view.showNew(kind, id),
    showAttention: (row, expand) => view.showAttention(row, expand),
  });
  return view;
}
