import * as vscode from 'vscode';
import { Undecodable } from '../../domain/decoder.ts';
import { isFailure } from '../../domain/failure.ts';
import { failureText } from '../../domain/failureText.ts';
import { isJobKind } from '../../domain/job.ts';
import type { ListParams } from '../../domain/listParams.ts';
import { ParameterError } from '../../domain/parameterError.ts';
import { parameterText } from '../../domain/parameterText.ts';
import { bounded, jobAnswer, listAnswer } from '../../domain/tools/toolAnswer.ts';
import { listLimit, readToolInput, type ToolInput, type ToolName } from '../../domain/tools/toolInput.ts';
import { serviceLabel } from '../submit/confirmSubmission.ts';
import { submitText } from '../submit/submitText.ts';
import { UserError } from '../userError.ts';
import type { ToolNeeds } from './toolNeeds.ts';

/** What agents' tools do. An answer is text of bounded length; what goes wrong is told to the model as a sentence. */
export class AgentTools {
  readonly #needs: ToolNeeds;

  constructor(needs: ToolNeeds) {
    this.#needs = needs;
  }

  /** What the editor says, and for a submission asks, before a tool runs. */
  async prepare(name: ToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const { l10n } = vscode;
    switch (name) {
      case 'listJobs':
        return { invocationMessage: l10n.t('Listing transcription jobs') };
      case 'getJob':
        return { invocationMessage: l10n.t('Reading a transcription job') };
      case 'checkRequest':
        return { invocationMessage: l10n.t('Checking a transcription request') };
      case 'submitRequest':
        return {
          invocationMessage: l10n.t('Submitting a transcription request'),
          confirmationMessages: { title: l10n.t('Submit a transcription request?'), message: this.#question(input) },
        };
    }
  }

  async invoke(
    name: ToolName,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const abort = new AbortController();
    token.onCancellationRequested(() => abort.abort());
    const answer = await this.#answer(name, input, abort.signal).catch((error: unknown) => {
      const sentence = sentenceOf(error);
      if (sentence === undefined) throw error;
      return sentence;
    });
    return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer)]);
  }

  async #answer(name: ToolName, input: unknown, signal: AbortSignal): Promise<string> {
    switch (name) {
      case 'listJobs':
        return this.#list(readToolInput(name, input), signal);
      case 'getJob':
        return this.#get(readToolInput(name, input), signal);
      case 'checkRequest':
        return this.#check(readToolInput(name, input));
      case 'submitRequest':
        return submitText(await this.#needs.submitRoom(), readToolInput(name, input).request, signal);
    }
  }

  async #list(input: ToolInput<'listJobs'>, signal: AbortSignal): Promise<string> {
    const { kind, statuses, createdAfter, createdBefore, metadata, limit } = input;
    const params: ListParams = {
      limit: listLimit(limit),
      ...(statuses !== undefined && statuses.length > 0 && { statuses }),
      ...(createdAfter !== undefined && { afterDate: createdAfter }),
      ...(createdBefore !== undefined && { beforeDate: createdBefore }),
      ...(metadata !== undefined && Object.keys(metadata).length > 0 && { customMetadata: metadata }),
    };
    const page = await this.#needs.source().listJobs(kind, params, signal);
    return listAnswer(page.entries, page.hasMore);
  }

  async #get({ kind, id }: ToolInput<'getJob'>, signal: AbortSignal): Promise<string> {
    const { store, find } = this.#needs;
    const job = store.get(kind, id) ?? (isJobKind(kind) ? await find(kind, id, signal) : undefined);
    if (job !== undefined) return jobAnswer(job);
    return vscode.l10n.t('Among the newest jobs there is no {0} job with the id {1}.', kind, id);
  }

  async #check({ request }: ToolInput<'checkRequest'>): Promise<string> {
    const room = await this.#needs.submitRoom();
    const gate = room.gate(request);
    const findings = gate.type === 'ok' ? gate.warnings : gate.findings;
    const lines = findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    const verdict =
      gate.type === 'ok'
        ? vscode.l10n.t('The request can be submitted.')
        : vscode.l10n.t('The request cannot be submitted as it is.');
    return bounded([verdict, ...lines].join('\n'));
  }

  /** What is asked before a submission: plain words, because part of them is the model's. */
  #question(input: unknown): string | vscode.MarkdownString {
    const { l10n } = vscode;
    const connection = this.#needs.connection();
    if (connection === undefined) return l10n.t('There is no connection to submit it to.');
    let request: string;
    try {
      ({ request } = readToolInput('submitRequest', input));
    } catch {
      request = '';
    }
    const shown = request.length > 1500 ? `${request.slice(0, 1500)}…` : request;
    const sentence = l10n.t(
      'It goes to the connection {0} ({1}) as a new job, which the service bills.',
      connection.name,
      serviceLabel(connection),
    );
    return new vscode.MarkdownString().appendText(sentence).appendCodeblock(shown, 'json');
  }
}

/** An error in a sentence for the model; undefined when it is not one that has a sentence. */
function sentenceOf(error: unknown): string | undefined {
  if (isFailure(error)) {
    const { sentence, nextStep } = failureText(error);
    return nextStep === undefined ? sentence : `${sentence} ${nextStep}`;
  }
  if (error instanceof ParameterError) return parameterText(error);
  if (error instanceof UserError) return error.message;
  return error instanceof Undecodable ? vscode.l10n.t('The input cannot be used: {0}', error.message) : undefined;
}
