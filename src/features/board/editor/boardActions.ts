import * as vscode from 'vscode';
import type { BoardAction } from '../common/boardProtocol.ts';
import { Failure } from '../../../base/failure.ts';
import { formatNumber } from '../../../base/format.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { commandStep, UserError } from '../../../platform/editor/messages.ts';
import { locale } from '../../../platform/editor/locale.ts';
import type { ShownTable } from '../../../jobs/node/export/exporter.ts';
import type { Services } from '../../../services.ts';

/** Runs actions on the selected jobs of a board through the feature that implements each. */
export class BoardActions {
  readonly #services: Services;

  constructor(services: Services) {
    this.#services = services;
  }

  /**
   * @param tableOf returns the columns of the board as shown when it is called
   * @throws UserError or Failure of the feature that runs the action
   */
  async run(what: BoardAction, connection: string, jobs: readonly Job[], tableOf: () => ShownTable): Promise<void> {
    const { l10n } = vscode;
    const { actions } = this.#services;
    const [job] = jobs;
    if (job === undefined)
      throw new UserError(l10n.t('The text of these jobs is no longer in memory. Read fewer jobs.'));
    switch (what) {
      case 'open':
        return actions.details.openJob(job);
      case 'compare':
        return actions.details.compareJobs(jobs);
      case 'saveTranscript':
        return actions.details.saveTranscripts(jobs);
      case 'export':
        return this.#export(connection, jobs, tableOf());
      case 'copyIds':
        return actions.details.copyJobs(jobs, 'id');
      case 'copyJson':
        return actions.details.copyJobs(jobs, 'json');
      case 'watch':
        this.serviceOf(connection);
        return actions.watch.watchListed(jobs);
      case 'resubmit':
        this.serviceOf(connection);
        return actions.submit.resubmit(jobs);
      case 'markHandled':
      case 'mute': {
        const failed = jobs.filter(({ status }) => status === 'error');
        if (failed.length === 0) throw new UserError(l10n.t('None of these jobs failed.'));
        this.serviceOf(connection);
        return what === 'mute' ? actions.attention.muteFailures(failed) : actions.attention.markHandled(failed);
      }
    }
  }

  async #export(connection: string, jobs: readonly Job[], table: ShownTable): Promise<void> {
    this.serviceOf(connection);
    const text = vscode.l10n.t('{0} selected jobs', formatNumber(jobs.length, locale));
    const entries = [...new Map(jobs.map((job) => [jobKey(job), job])).values()];
    await this.#services.actions.browse.exportJobs({ text, slug: 'selected', table, batches: () => [{ entries }] });
  }

  /** Returns the current connection. @throws Failure without a connection; UserError if another one is in use */
  serviceOf(connection: string) {
    const { current } = this.#services.service;
    if (current === undefined) throw new Failure('noConnection');
    if (current.connection.name !== connection) {
      throw new UserError(
        vscode.l10n.t('This board belongs to the connection {0}. Switch to it to continue.', connection),
        [commandStep(vscode.l10n.t('Switch Connection'), commandIds.switchConnection)],
      );
    }
    return current;
  }
}
