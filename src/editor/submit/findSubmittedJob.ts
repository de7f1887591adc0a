import * as vscode from 'vscode';
import { formatMoment } from '../../domain/format.ts';
import { describeStatus } from '../../domain/jobs/jobRow.ts';
import type { MatchConfidence } from '../../domain/submission/matchConfidence.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import { searchSubmittedJob, type Candidate } from '../../service/submit/searchSubmittedJob.ts';
import { locale } from '../settings.ts';
import { pickOne, plainLabel } from '../quickPick.ts';
import { withCancel } from '../progress.ts';
import { runCommand } from '../runCommand.ts';
import { showMessage, type NextStep } from '../messages.ts';
import { noteInLedger } from './batch/batchDocument.ts';
import { type SubmitTarget, readJournal, submittedName, type Submissions } from './submitContext.ts';
import { openJobStep, showAndWatch } from './tellOutcome.ts';

/** Jobs to choose from, the likeliest; in a longer list nobody finds one. */
const mostCandidates = 100;

/**
 * Looks in the service's list for the job of a submission whose outcome is unknown, and writes down what it finds. Sends GETs only.
 * @throws Failure when the list cannot be read.
 */
export async function findSubmittedJob(
  room: Submissions,
  service: SubmitTarget,
  submission: Submission,
): Promise<void> {
  const name = submittedName(submission);
  const journal = await readJournal(room, service.connection);
  const others = journal.flatMap(({ key, outcome }) =>
    key !== submission.key && outcome.type === 'accepted' && outcome.id !== undefined ? [outcome.id] : [],
  );
  const { candidates: all, complete: sawAll } = await withCancel(
    vscode.l10n.t('Looking for the job of "{0}"', name),
    (signal) => searchSubmittedJob(service.api, submission, new Set(others), room.clock, signal),
  );
  const candidates = all.slice(0, mostCandidates);
  const [first] = candidates;
  const found = first?.confidence === 'tag' ? first : await chosen(room, name, candidates);
  if (found === 'undecided') return;
  if (found !== undefined) return tellFound(room, service, submission, found);
  // That it is none of those that were seen says nothing of the others.
  if (sawAll && candidates.length === all.length) return tellMissing(room, service, submission);
  const text = vscode.l10n.t(
    'The service lists too many jobs of that time to look through. The outcome stays unknown.',
  );
  void showMessage('warning', text);
}

async function tellFound(
  room: Submissions,
  service: SubmitTarget,
  submission: Submission,
  { job }: Candidate,
): Promise<void> {
  const settled = await room.journal.settle(service.connection, submission, {
    type: 'accepted',
    status: undefined,
    id: job.id,
  });
  await noteInLedger(room, service.connection, settled);
  showAndWatch(room, service, job.id, submittedName(submission));
  const text = vscode.l10n.t('"{0}" became job {1}.', submittedName(submission), job.id);
  void runCommand(room.log, () => showMessage('information', text, [openJobStep(room, service, job.id)]));
}

async function tellMissing(room: Submissions, service: SubmitTarget, submission: Submission): Promise<void> {
  const settled = await room.journal.settle(service.connection, submission, {
    type: 'unknown',
    code: submission.outcome.type === 'unknown' ? submission.outcome.code : undefined,
    lookedAtMs: room.clock.now(),
  });
  await noteInLedger(room, service.connection, settled);
  const name = submittedName(submission);
  const text = vscode.l10n.t('The service lists no job of "{0}". One may still appear for a little while.', name);
  void runCommand(room.log, () => showMessage('warning', text, nextSteps(room, service, settled)));
}

function nextSteps(room: Submissions, service: SubmitTarget, submission: Submission): readonly NextStep[] {
  const step = (title: string, body: () => Promise<void>): NextStep => ({
    title,
    run: () => runCommand(room.log, body),
  });
  const again = step(vscode.l10n.t('Look Again'), () => room.lookFor(service, submission));
  // A request of a batch is sent again by going on with that; one that was accepted is not sent again at all.
  if (submission.batch !== undefined || submission.outcome.type !== 'unknown') return [again];
  const uri = vscode.Uri.parse(submission.file, true);
  return [again, step(vscode.l10n.t('Send Again'), () => room.submit(uri, submission))];
}

/** Which of several jobs it is: that is for the user to say. `undefined`: none of them. */
async function chosen(
  room: Submissions,
  name: string,
  candidates: readonly Candidate[],
): Promise<Candidate | undefined | 'undecided'> {
  if (candidates.length === 0) return undefined;
  const answer = await pickOne<{ readonly candidate: Candidate | undefined }>({
    title: vscode.l10n.t('Which job is "{0}"?', name),
    placeholder: vscode.l10n.t('Jobs that were created at that time'),
    choices: [
      ...candidates.map((candidate) => ({
        label: plainLabel(room.titleOf(candidate.job)),
        description: [likenessText(candidate.confidence), describeStatus(candidate.job.status).text].join(' · '),
        detail: [
          candidate.job.id,
          ...(candidate.job.createdAtMs === undefined ? [] : [formatMoment(candidate.job.createdAtMs, locale)]),
        ].join(' · '),
        value: { candidate },
      })),
      { label: '', kind: vscode.QuickPickItemKind.Separator },
      { label: `$(circle-slash) ${vscode.l10n.t('None of These')}`, value: { candidate: undefined } },
    ],
    canGoBack: false,
  });
  return answer.type === 'picked' ? answer.value.candidate : 'undecided';
}

function likenessText(likeness: MatchConfidence): string {
  switch (likeness) {
    case 'tag':
      return vscode.l10n.t('same tag');
    case 'audio':
      return vscode.l10n.t('same audio');
    case 'time':
      return vscode.l10n.t('same time');
  }
}
