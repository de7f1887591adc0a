import * as vscode from 'vscode';
import type { WatchedJob } from '../../domain/watch/watchPlan.ts';
import { pickOne, plainLabel } from '../pickStep.ts';
import type { WatchNeeds } from './watchNeeds.ts';

/** Opens a job; asks for one when there are several. */
export async function openOne(jobs: readonly WatchedJob[], openJob: WatchNeeds['openJob']): Promise<void> {
  const [first, ...others] = jobs;
  const answer =
    others.length === 0
      ? undefined
      : await pickOne<WatchedJob>({
          title: vscode.l10n.t('Open Job'),
          placeholder: vscode.l10n.t('Choose a job'),
          choices: jobs.map((job) => ({ label: plainLabel(job.label), description: job.id, value: job })),
          canGoBack: false,
        });
  const chosen = answer === undefined ? first : answer.type === 'picked' ? answer.value : undefined;
  if (chosen !== undefined) await openJob(chosen);
}
