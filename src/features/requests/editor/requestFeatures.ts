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
import { locale } from '../../../platform/editor/locale.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { RequestServices } from '../../../services.ts';

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
  readonly #services: RequestServices;
  readonly #documents: OpenRequests;
  readonly #checks: FileChecks;
  #reportedCodes = '';

  /** @param previewChanged called with each preview to refresh */
  constructor(services: RequestServices, previewChanged: vscode.EventEmitter<vscode.Uri>) {
    super();
    const levels = (): RuleLevels => services.settings.get('rules');
    this.#services = services;
    const surroundings = (): CheckSurroundings => {
      const { current } = services.connections;
      return {
        context: {
          nowMs: services.clock.now(),
          knowledge: findServiceKnowledge(current?.service, current?.baseUrl),
          linkNeed: () => linkNeedOf(sampleProcessing(services.jobs.jobs())),
          locale,
        },
        levels: levels(),
      };
    };
    this.#documents = this.own(new OpenRequests(services.clock, surroundings));
    this.#checks = this.own(new FileChecks(surroundings));
    this.own(services.connections.onDidChange(() => this.#documents.recheck()));
    this.lenses = new EffectLens(this.#documents);
    this.actions = new RequestActions(this.#documents);
    this.completion = new RequestCompletion(this.#documents, () => services.jobs.jobs());
    this.paste = new RequestPaste(this.#documents);
    this.hover = new LanguageHover(this.#documents);
    this.preview = this.own(new RequestPreview(this.#documents, services, previewChanged));
    this.tasks = new CheckTasks(this.#checks);
    this.own(
      services.settings.onDidChange((change) => {
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
  newRequestFromJob(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return newRequestFromJob(job, this.help, this.#documents.knowledge());
  }

  openRequestOf(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return openSentRequest(job, this.#services.actions);
  }

  retryJob(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return retryJob(job, this.#services, this.help, this.#documents.knowledge());
  }

  check(given: readonly unknown[]): Promise<void> {
    return checkRequests(given, this.#checks);
  }

  #chosenJob(given: readonly unknown[]): Job | undefined {
    return this.#services.actions.get('chosenJobs')(given)[0];
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
