import { posix } from 'node:path';
import * as vscode from 'vscode';
import type { GateResult } from '../../domain/request/check.ts';
import type { Journal } from '../../service/journal/journal.ts';
import type { Submitter } from '../../service/submit/submitter.ts';
import { showMessage } from '../messages.ts';
import type { ServiceComplaints } from './serviceDiagnostics.ts';
import type { Submission } from '../../domain/submission/submission.ts';
import type { Connection, Log, PageSource, RequestSink } from '../../service/ports.ts';
import type { Clock } from '../../service/clock.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { NamedJob } from '../details/openNamedJob.ts';
import type { Settings } from '../settings.ts';
import type { Watch } from '../watch/registerWatch.ts';

/** What the commands about submissions share; made when the first of them runs. */
export interface Submissions extends SubmitDeps {
  /** Decides whether a request may be sent, by syntax and types; all else it warns of, as the setting `rules` has it. */
  readonly gate: (text: string) => GateResult;
  readonly journal: Journal;
  readonly submitter: Submitter;
  readonly complaints: ServiceComplaints;
  /** Fires with the document of a batch that reads differently now. */
  readonly summaryChanged: vscode.EventEmitter<vscode.Uri>;
  /** What is being asked about or sent, files by URI and batches by name: pressing twice submits once. */
  readonly busy: Set<string>;
  /** @param earlier the submission that this one repeats. @throws UserError or Failure */
  readonly submit: (uri: vscode.Uri, earlier?: Submission) => Promise<void>;
  /** Looks for the job of a submission whose outcome is unknown. @throws Failure */
  readonly lookFor: (service: SubmitTarget, submission: Submission) => Promise<void>;
}

/** The connection's submissions, the newest first. What was broken and is set aside is told. */
export async function readJournal({ journal }: Submissions, connection: Connection): Promise<readonly Submission[]> {
  const { submissions, quarantined, fromLaterVersion } = await journal.read(connection);
  const [first] = quarantined;
  if (first !== undefined) {
    const text = vscode.l10n.t('{0} broken entries of the submission journal were set aside.', quarantined.length);
    const show = (): Thenable<unknown> => vscode.commands.executeCommand('revealFileInOS', vscode.Uri.file(first));
    void showMessage('warning', text, [{ title: vscode.l10n.t('Show File'), run: show }]);
  }
  if (fromLaterVersion > 0) {
    const text = vscode.l10n.t('{0} submissions were written by a later version and are not shown.', fromLaterVersion);
    void showMessage('information', text);
  }
  return submissions;
}

/** The name of the file that was submitted. */
export function submittedName({ file }: Pick<Submission, 'file'>): string {
  return posix.basename(vscode.Uri.parse(file).path);
}

/** The service in use. */
export interface SubmitTarget {
  /** As the user knows it. */
  readonly connection: Connection;
  readonly api: PageSource & RequestSink;
}

/** What submitting requests is made from. */
export interface SubmitDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Settings;
  /** Where files may be kept that all windows share; on this machine's disk. */
  readonly storageUri: vscode.Uri;
  /** @throws Failure `noConnection`, or `noKey` when it is certain that there is none. */
  readonly service: () => SubmitTarget;
  /** The connection's true address, for commands that are run elsewhere. @throws Failure */
  readonly reach: () => Promise<Connection>;
  readonly watch: Watch['watch'];
  /** Brings the lists of a kind up to date, because there is a new job, and its row into sight when it is one. */
  readonly refresh: (kind: string, id?: string) => void;
  readonly titleOf: (job: Job) => string;
  /** @throws UserError or Failure */
  readonly openJob: (job: NamedJob) => unknown;
}
