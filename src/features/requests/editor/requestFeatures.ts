import * as vscode from 'vscode';
import {
  createRequestLanguage,
  findUnknownRuleCodes,
  maxEditorFindings,
  type RuleLevels,
} from '../../../language/requestLanguage.ts';
import { sampleName } from '../../../connections/common/connectionInput.ts';
import { measureLinkNeed } from '../common/linkRunway.ts';
import { findServiceKnowledge, type ServiceKnowledge } from '../../../known/serviceKnowledge.ts';
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
import { OpenRequests } from '../../../language/editor/openRequests.ts';
import { RequestHelp } from '../../../language/editor/diagnostics.ts';
import { RequestPaste } from './requestPaste.ts';
import { RequestPreview } from './requestPreview.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { locale } from '../../../platform/editor/locale.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { RequestServices } from '../../../services.ts';
import { schemaErrors } from 'request-validator:';

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
    const language = createRequestLanguage({
      schema: schemaErrors,
      now: () => services.clock.now(),
      knowledge: () => this.#knowledge(),
      rules: levels,
      linkNeed: () => measureLinkNeed(services.jobs.jobs()),
      locale,
      language: () => vscode.env.language,
      maxFindings: maxEditorFindings,
    });
    this.#documents = this.own(new OpenRequests(services.clock, language));
    this.#checks = this.own(new FileChecks(language));
    this.own(services.connections.onDidChange(() => this.#documents.recheck()));
    this.lenses = new EffectLens(language, this.#documents);
    this.actions = new RequestActions(language, this.#documents);
    this.completion = new RequestCompletion(language, this.#documents, () => services.jobs.jobs());
    this.paste = new RequestPaste(language, this.#documents);
    this.hover = new LanguageHover(language, this.#documents);
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
    return newRequestFromTemplate(given, this.#services.connections.current?.name === sampleName);
  }

  /** @param job the job that the command was called on, if omitted; the same applies below */
  newRequestFromJob(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return newRequestFromJob(job, this.help, this.#knowledge());
  }

  openRequestOf(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return openSentRequest(job, this.#services.actions);
  }

  retryJob(given: readonly unknown[], job = this.#chosenJob(given)): Promise<void> {
    return retryJob(job, this.#services, this.help, this.#knowledge());
  }

  check(given: readonly unknown[]): Promise<void> {
    return checkRequests(given, this.#checks);
  }

  /** Returns the known limits of the service in use. */
  #knowledge(): ServiceKnowledge | undefined {
    const { current } = this.#services.connections;
    return findServiceKnowledge(current?.service, current?.baseUrl);
  }

  #chosenJob(given: readonly unknown[]): Job | undefined {
    return this.#services.actions.tree.chosenJobs(given)[0];
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
