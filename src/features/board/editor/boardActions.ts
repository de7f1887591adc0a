import * as vscode from 'vscode';
import type { BoardAct } from '../common/boardProtocol.ts';
import { Failure } from '../../../base/failure.ts';
import { formatNumber } from '../../../base/format.ts';
import { jobKey, type Job } from '../../../jobs/common/job.ts';
import type { Clock } from '../../../base/clock.ts';
import type { KeyMask } from '../../../platform/http/keyMask.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import { copyJobs } from '../../../jobs/editor/copyJobs.ts';
import type { WholeJobSource } from '../../../jobs/node/store/wholeJobs.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { commandStep, UserError } from '../../../platform/editor/messages.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { exportInto } from '../../../jobs/editor/exportInto.ts';
import type { ListReader } from '../../../jobs/node/list/listReader.ts';

/** Dependencies of {@link BoardActions}: services of other features. */
export interface BoardActionDeps {
  readonly log: Log;
  readonly clock: Clock;
  /** Current connection with its service. */
  readonly service: () => { readonly connection: Connection; readonly source: ListReader } | undefined;
  /** Loaded jobs of the current connection, and their results. */
  readonly jobs: WholeJobSource & { get(kind: string, id: string): Job | undefined };
  readonly keyMask: () => KeyMask;
  readonly titleOf: (job: Job) => string;
  readonly reach: () => Promise<Connection>;
  readonly openJob: (job: Job) => Promise<void>;
  readonly compareJobs: (jobs: readonly Job[]) => Promise<void>;
  readonly saveTranscripts: (jobs: readonly Job[]) => Promise<void>;
  readonly watch: (jobs: readonly Job[]) => Promise<void>;
  readonly resubmit: (jobs: readonly Job[]) => Promise<void>;
  readonly markHandled: (jobs: readonly Job[]) => Promise<void>;
}

/** Runs actions on the selected jobs of a board through the feature that implements each. */
export class BoardActions {
  readonly #deps: BoardActionDeps;

  constructor(deps: BoardActionDeps) {
    this.#deps = deps;
  }

  /** @throws UserError or Failure of the feature that runs the action */
  async run(what: BoardAct, connection: string, jobs: readonly Job[]): Promise<void> {
    const { l10n } = vscode;
    const [job] = jobs;
    if (job === undefined)
      throw new UserError(l10n.t('The text of these jobs is no longer in memory. Read fewer jobs.'));
    const deps = this.#deps;
    switch (what) {
      case 'open':
        return deps.openJob(job);
      case 'compare':
        return deps.compareJobs(jobs);
      case 'saveTranscript':
        return deps.saveTranscripts(jobs);
      case 'export':
        return this.#export(connection, jobs);
      case 'copyIds':
        return copyJobs(jobs, 'id', { ...deps, connection: deps });
      case 'copyJson':
        return copyJobs(jobs, 'json', { ...deps, connection: deps });
      case 'watch':
        this.serviceOf(connection);
        return deps.watch(jobs);
      case 'resubmit':
        this.serviceOf(connection);
        return deps.resubmit(jobs);
      case 'markHandled': {
        const failed = jobs.filter(({ status }) => status === 'error');
        if (failed.length === 0) throw new UserError(l10n.t('None of these jobs failed.'));
        this.serviceOf(connection);
        return deps.markHandled(failed);
      }
    }
  }

  async #export(connection: string, jobs: readonly Job[]): Promise<void> {
    const { log, clock, jobs: wholeJobs, keyMask } = this.#deps;
    const text = vscode.l10n.t('{0} selected jobs', formatNumber(jobs.length, locale));
    const entries = [...new Map(jobs.map((job) => [jobKey(job), job])).values()];
    const what = { text, slug: 'selected', batches: () => [{ entries }] };
    const source = (): ListReader => this.serviceOf(connection).source;
    await exportInto(what, { log, clock, locale, source, jobs: wholeJobs, keyMask });
  }

  /** Returns the current connection. @throws Failure without a connection; UserError if another one is in use */
  serviceOf(connection: string) {
    const pair = this.#deps.service();
    if (pair === undefined) throw new Failure('noConnection');
    if (pair.connection.name !== connection) {
      throw new UserError(
        vscode.l10n.t('This board belongs to the connection {0}. Switch to it to continue.', connection),
        [commandStep(vscode.l10n.t('Switch Connection'), commandIds.switchConnection)],
      );
    }
    return pair;
  }
}
