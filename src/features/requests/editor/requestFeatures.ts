import * as vscode from 'vscode';
import { findUnknownRuleCodes, type RuleLevels } from '../../../language/check.ts';
import { linkNeedOf, sampleProcessing } from '../common/linkRunway.ts';
import { findServiceKnowledge } from '../../../known/serviceKnowledge.ts';
import { openSettingsStep, showMessage } from '../../../platform/editor/messages.ts';
import { settingId } from '../../../platform/editor/ids.ts';
import { checkRequests } from './checkRequests.ts';
import { CheckTasks } from './checkTasks.ts';
import { EffectLens } from './effectLens.ts';
import { newRequestFromJob, newRequestFromTemplate } from './newRequest.ts';
import { LanguageHover } from './languageHover.ts';
import { openSentRequest, retryJob } from './retryJob.ts';
import { RequestActions } from './requestActions.ts';
import { FileChecks } from './fileChecks.ts';
import { RequestCompletion } from './requestCompletion.ts';
import { OpenRequests, type CheckSurroundings } from '../../../language/editor/openRequests.ts';
import { RequestHelp } from '../../../language/editor/diagnostics.ts';
import { RequestPaste } from './requestPaste.ts';
import { RequestPreview } from './requestPreview.ts';
import type { Job } from '../../../jobs/common/job.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import type { Log } from '../../../base/log.ts';
import type { SentRequest } from '../../../language/editor/requestDocuments.ts';
import type { Clock } from '../../../base/clock.ts';
import { type Settings } from '../../../settings.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { DisposableOwner } from '../../../base/disposable.ts';

/** Implementation of the request file features. Loaded on first use: rules, schema and parser come with it. */
export class RequestFeatures extends DisposableOwner {
  readonly lenses: EffectLens;
  readonly actions: RequestActions;
  readonly completion: RequestCompletion;
  readonly hover: LanguageHover;
  readonly paste: RequestPaste;
  readonly preview: RequestPreview;
  readonly help = new RequestHelp();
  readonly tasks: CheckTasks;
  readonly #deps: RequestDeps;
  readonly #documents: OpenRequests;
  readonly #checks: FileChecks;
  #reportedCodes = '';

  /** @param previewChanged called with each preview to refresh */
  constructor(deps: RequestDeps, previewChanged: vscode.EventEmitter<vscode.Uri>) {
    super();
    const levels = (): RuleLevels => deps.settings.get('rules');
    this.#deps = deps;
    const surroundings = (): CheckSurroundings => {
      const connection = deps.connection();
      return {
        context: {
          nowMs: deps.clock.now(),
          knowledge: findServiceKnowledge(connection?.service, connection?.baseUrl),
          linkNeed: () => linkNeedOf(sampleProcessing(deps.loadedJobs())),
          locale,
        },
        levels: levels(),
      };
    };
    this.#documents = this.own(new OpenRequests(deps.clock, surroundings));
    this.#checks = this.own(new FileChecks(surroundings));
    this.own(deps.onDidChangeConnection(() => this.#documents.recheck()));
    this.lenses = new EffectLens(this.#documents);
    this.actions = new RequestActions(this.#documents);
    this.completion = new RequestCompletion(this.#documents, deps.loadedJobs);
    this.paste = new RequestPaste(this.#documents);
    this.hover = new LanguageHover(this.#documents);
    this.preview = this.own(new RequestPreview(this.#documents, deps, previewChanged));
    this.tasks = new CheckTasks(this.#checks);
    this.own(
      deps.settings.onDidChange((change) => {
        if (!change.affects('rules')) return;
        this.#documents.recheck();
        this.#reportUnknownCodes(levels());
      }),
    );
    this.#reportUnknownCodes(levels());
  }

  newRequest(given: readonly unknown[]): Promise<void> {
    return newRequestFromTemplate(given);
  }

  /** @param job the job that the command was called on, if omitted; the same applies below */
  newRequestFromJob(given: readonly unknown[], job = this.#deps.chosenJob(given)): Promise<void> {
    return newRequestFromJob(job, this.help, this.#documents.knowledge());
  }

  openRequestOf(given: readonly unknown[], job = this.#deps.chosenJob(given)): Promise<void> {
    return openSentRequest(job, this.#deps.sentRequest);
  }

  retryJob(given: readonly unknown[], job = this.#deps.chosenJob(given)): Promise<void> {
    const { clock, errorLabels, sentRequest } = this.#deps;
    const knowledge = this.#documents.knowledge();
    return retryJob(job, { clock, errorLabels, sentRequest, help: this.help, knowledge });
  }

  check(given: readonly unknown[]): Promise<void> {
    return checkRequests(given, this.#checks);
  }

  /** Warns once per set of codes, not at every change of another setting. */
  #reportUnknownCodes(levels: RuleLevels): void {
    const codes = findUnknownRuleCodes(levels).join(', ');
    if (codes === this.#reportedCodes) return;
    this.#reportedCodes = codes;
    if (codes === '') return;
    const message = vscode.l10n.t(
      "The setting {0} names rules that don't exist: {1}. The others apply.",
      settingId('rules'),
      codes,
    );
    void showMessage('warning', message, [openSettingsStep('rules')]);
  }
}

/** Dependencies on the rest of the extension. */
export interface RequestDeps {
  readonly log: Log;
  readonly clock: Clock;
  readonly settings: Pick<Settings, 'get' | 'onDidChange' | 'connectionDefaults'>;
  /** Returns the loaded jobs. */
  readonly loadedJobs: () => Iterable<Job>;
  /** Returns the connection that a submission would use; undefined if there is none. */
  readonly connection: () => Pick<Connection, 'name' | 'baseUrl' | 'apiKeyHeader' | 'service'> | undefined;
  readonly onDidChangeConnection: vscode.Event<unknown>;
  /** Returns the job that a command was called on, or the selected one; undefined if there is none. */
  readonly chosenJob: (given: readonly unknown[]) => Job | undefined;
  /** Returns the user's labels for error codes, by code. */
  readonly errorLabels: () => Readonly<Record<string, string>>;
  /** Finds the file that a job was submitted from; undefined if no journal contains the job, or the file no longer exists. */
  readonly sentRequest: (job: Job) => Promise<SentRequest | undefined>;
}
