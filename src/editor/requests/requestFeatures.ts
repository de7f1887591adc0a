import * as vscode from 'vscode';
import { unknownRuleCodes, type RuleLevels } from '../../domain/request/check.ts';
import { openSettingsStep, showMessage } from '../messages.ts';
import { settingId } from '../ids.ts';
import { checkCommand } from './checkCommand.ts';
import { CheckTasks } from './checkTasks.ts';
import { EffectLens } from './effectLens.ts';
import { newRequestFromJob, newRequestFromTemplate } from './newRequest.ts';
import { RequestActions } from './requestActions.ts';
import { FileChecks } from './fileChecks.ts';
import { RequestCompletion } from './requestCompletion.ts';
import { OpenRequests } from './openRequests.ts';
import { RequestHelp } from './diagnostics.ts';
import { RequestPreview } from './requestPreview.ts';
import type { RequestDeps } from './requestServices.ts';

/** What does the work for request files. Loaded on first use: rules, schema and parser come with it. */
export class RequestFeatures implements vscode.Disposable {
  readonly lenses: EffectLens;
  readonly actions: RequestActions;
  readonly completion: RequestCompletion;
  readonly preview: RequestPreview;
  readonly help = new RequestHelp();
  readonly tasks: CheckTasks;
  readonly #services: RequestDeps;
  readonly #documents: OpenRequests;
  readonly #checks: FileChecks;
  readonly #settings: vscode.Disposable;
  #toldCodes = '';

  /** @param previewChanged told which previews are to be read again */
  constructor(services: RequestDeps, previewChanged: vscode.EventEmitter<vscode.Uri>) {
    const levels = (): RuleLevels => services.settings.get('rules');
    this.#services = services;
    this.#documents = new OpenRequests(services.clock, levels);
    this.#checks = new FileChecks(services.clock, levels);
    this.lenses = new EffectLens(this.#documents);
    this.actions = new RequestActions(this.#documents);
    this.completion = new RequestCompletion(this.#documents, services.loadedJobs);
    this.preview = new RequestPreview(this.#documents, services, previewChanged);
    this.tasks = new CheckTasks(this.#checks);
    this.#settings = services.settings.onDidChange((change) => {
      if (!change.affects('rules')) return;
      this.#documents.recheck();
      this.#tellUnknownCodes(levels());
    });
    this.#tellUnknownCodes(levels());
  }

  newRequest(given: readonly unknown[]): Promise<void> {
    return newRequestFromTemplate(given);
  }

  newRequestFromJob(given: readonly unknown[]): Promise<void> {
    return newRequestFromJob(this.#services.chosenJob(given), this.help);
  }

  check(given: readonly unknown[]): Promise<void> {
    return checkCommand(given, this.#checks);
  }

  dispose(): void {
    this.#settings.dispose();
    this.#documents.dispose();
    this.#checks.dispose();
    this.preview.dispose();
  }

  /** Once per set of codes: whoever writes a setting wants to know, and not at every change of another one. */
  #tellUnknownCodes(levels: RuleLevels): void {
    const codes = unknownRuleCodes(levels).join(', ');
    if (codes === this.#toldCodes) return;
    this.#toldCodes = codes;
    if (codes === '') return;
    const message = vscode.l10n.t(
      'The setting {0} names rules that do not exist: {1}. The others count.',
      settingId('rules'),
      codes,
    );
    void showMessage('warning', message, [openSettingsStep('rules')]);
  }
}
