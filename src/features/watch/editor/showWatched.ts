import * as vscode from 'vscode';
import { formatWhen } from '../../../base/format.ts';
import type { WatchedJob } from '../common/watchPlan.ts';
import type { JobWatcher } from '../node/jobWatcher.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { pickOne, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import { showMessage } from '../../../platform/editor/messages.ts';
import type { NamedJob } from '../../../jobs/common/listParams.ts';
import type { Services } from '../../../services.ts';

type WatchedPick = { readonly type: 'job'; readonly job: WatchedJob } | { readonly type: 'stopAll' };

/** Lists the watched jobs, to open one or stop watching it. */
export async function showWatched(watcher: JobWatcher, services: Services): Promise<void> {
  const { watched } = watcher;
  if (watched.length === 0) {
    void showMessage('information', vscode.l10n.t('No job is being watched.'));
    return;
  }
  const jobs = watched.map((job): Choice<WatchedPick> => ({
    label: plainLabel(job.label),
    description: [
      job.connection,
      formatWhen(job.sinceMs, services.clock.now(), services.settings.get('times'), locale),
    ].join(' · '),
    value: { type: 'job', job },
  }));
  const answer = await pickOne<WatchedPick>({
    title: vscode.l10n.t('Watched Jobs'),
    placeholder: vscode.l10n.t('Select a job'),
    choices: [
      ...jobs,
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: `$(close-all) ${vscode.l10n.t('Stop Watching All')}`, value: { type: 'stopAll' } },
    ],
    canGoBack: false,
  });
  if (answer.type !== 'picked') return;
  if (answer.value.type === 'stopAll') return stop(watcher, watched, services);
  const { job } = answer.value;
  const action = await pickOne<'open' | 'stop'>({
    title: job.label,
    placeholder: vscode.l10n.t('Select an action'),
    choices: [
      { label: `$(go-to-file) ${vscode.l10n.t('Open Job')}`, value: 'open' },
      { label: `$(close) ${vscode.l10n.t('Stop Watching')}`, value: 'stop' },
    ],
    canGoBack: true,
  });
  if (action.type === 'back') return showWatched(watcher, services);
  if (action.type !== 'picked') return;
  if (action.value === 'stop') await stop(watcher, [job], services);
  else await services.actions.details.openNamedJob(job);
}

/** Stops watching jobs, whose files are then no longer wanted. */
async function stop(watcher: JobWatcher, jobs: readonly WatchedJob[], { actions }: Services): Promise<void> {
  watcher.stop(jobs);
  await actions.deliver.abandonFiles(jobs);
}

/** Opens a job; lets the user select one if there are several. */
export async function openOne(jobs: readonly WatchedJob[], openJob: (job: NamedJob) => Promise<void>): Promise<void> {
  const [first, ...others] = jobs;
  const answer =
    others.length === 0
      ? undefined
      : await pickOne<WatchedJob>({
          title: vscode.l10n.t('Open Job'),
          placeholder: vscode.l10n.t('Select a job'),
          choices: jobs.map((job) => ({ label: plainLabel(job.label), description: job.id, value: job })),
          canGoBack: false,
        });
  const chosen = answer === undefined ? first : answer.type === 'picked' ? answer.value : undefined;
  if (chosen !== undefined) await openJob(chosen);
}
