import * as vscode from 'vscode';
import type { Connection } from '../../../connections/common/connection.ts';
import { formatNumber, formatWhen } from '../../../base/format.ts';
import type { Submission } from '../../../jobs/common/submission.ts';
import type { JournalReading } from '../../../jobs/node/journal/journal.ts';
import { untitledUri } from '../../../language/editor/requestDocuments.ts';
import { isRequestFile } from '../../../language/editor/requestFileType.ts';
import { showJobsOfFileCommand } from '../../../platform/editor/ids.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { pickOne, plainLabel } from '../../../platform/editor/quickPick.ts';
import type { Services } from '../../../services.ts';
import { submittedName } from '../common/submissionText.ts';

/** Number of the newest submissions that are searched for those of a file. */
const maxSearched = 500;
/** In milliseconds. Other windows may submit, too. */
const maxAgeMs = 10_000;

/** A lens above request files that leads to the jobs that were submitted from them over the connection in use. */
export class SubmittedJobsLens {
  readonly #services: Services;
  /** The last reading: the editor requests lenses again while the user types. */
  #read:
    { readonly connection: Connection; readonly atMs: number; readonly reading: Promise<JournalReading> } | undefined;

  constructor(services: Services) {
    this.#services = services;
  }

  async provideCodeLenses(document: vscode.TextDocument): Promise<vscode.CodeLens[]> {
    if (!isRequestFile(document)) return [];
    const count = (await this.#submittedFrom(document.uri)).length;
    if (count === 0) return [];
    const { l10n } = vscode;
    const title =
      count === 1 ? l10n.t('1 job from this file') : l10n.t('{0} jobs from this file', formatNumber(count, locale));
    const command = { title, command: showJobsOfFileCommand, arguments: [document.uri] };
    return [new vscode.CodeLens(new vscode.Range(0, 0, 0, 0), command)];
  }

  /** Opens the job that was submitted from a file; lets the user select one of several. */
  async show(file: vscode.Uri): Promise<void> {
    const { actions, clock, settings } = this.#services;
    const submitted = await this.#submittedFrom(file);
    const [first, ...others] = submitted;
    const answer =
      others.length === 0
        ? undefined
        : await pickOne<SubmittedJob>({
            title: vscode.l10n.t('Jobs from This File'),
            placeholder: vscode.l10n.t('Select a job'),
            choices: submitted.map((each) => ({
              label: plainLabel(submittedName(each.submission)),
              description: formatWhen(each.submission.sentAtMs, clock.now(), settings.get('times'), locale),
              detail: each.id,
              value: each,
            })),
            canGoBack: false,
          });
    const chosen = answer === undefined ? first : answer.type === 'picked' ? answer.value : undefined;
    if (chosen === undefined) return;
    const { connection } = chosen.submission;
    await actions.details.openNamedJob({ connection, kind: 'pre-recorded', id: chosen.id });
  }

  /** Forgets the last reading. */
  invalidate(): void {
    this.#read = undefined;
  }

  #readJournal(connection: Connection): Promise<JournalReading> {
    const { clock, journal } = this.#services;
    const atMs = clock.now();
    if (this.#read?.connection !== connection || atMs - this.#read.atMs > maxAgeMs)
      this.#read = { connection, atMs, reading: journal.read(connection, maxSearched) };
    return this.#read.reading;
  }

  async #submittedFrom(file: vscode.Uri): Promise<readonly SubmittedJob[]> {
    const { current } = this.#services.connections;
    if (current === undefined) return [];
    const { submissions } = await this.#readJournal(current);
    const names = new Set([file, untitledUri(file)].map(String));
    return submissions.flatMap((submission) => {
      const { outcome } = submission;
      const id = names.has(submission.file) && outcome.type === 'accepted' ? outcome.id : undefined;
      return id === undefined ? [] : [{ submission: { ...submission, connection: current.name }, id }];
    });
  }
}

interface SubmittedJob {
  readonly submission: Submission;
  readonly id: string;
}
