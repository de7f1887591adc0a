import { failuresAnswer, overdueAnswer } from '../common/attentionAnswers.ts';
import { withoutWholeText } from '../../../jobs/common/job.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import * as vscode from 'vscode';
import { WorkSlices } from '../../../base/clock.ts';
import { severalLines } from '../../../base/outsideText.ts';
import { Undecodable } from '../../../base/decode/decoder.ts';
import { isFailure } from '../../../base/failure.ts';
import { isJsonObject } from '../../../base/json/json.ts';
import type { ListParams } from '../../../jobs/common/listParams.ts';
import {
  bounded,
  fenced,
  jobAnswer,
  jsonAnswer,
  listAnswer,
  listLimit,
  readConditions,
  readToolInput,
  type TextMask,
  type ToolInput,
  type ToolName,
} from '../common/tools.ts';
import { maskAddresses } from '../../../base/webAddress.ts';
import { settingId } from '../../../platform/editor/ids.ts';
import { UserError } from '../../../platform/editor/messages.ts';
import { knownErrorSentence } from '../../../platform/editor/showError.ts';
import { outcomeSentence } from '../../submit/common/submissionText.ts';
import { exactCount } from '../../../jobs/node/exactCount.ts';
import type { Services } from '../../../services.ts';

/** The agent tools. Results and errors are text of bounded length. */
export class AgentTools {
  readonly #services: Services;
  readonly #confirmed = new ConfirmedConnections();
  readonly #mask: TextMask = (text) => this.#services.service.keyMask.apply(text);

  constructor(services: Services) {
    this.#services = services;
  }

  /** Returns the invocation message and, for a submission, the confirmation shown before a tool runs. */
  async prepare(name: ToolName, input: unknown): Promise<vscode.PreparedToolInvocation> {
    const { l10n } = vscode;
    switch (name) {
      case 'listJobs':
        return { invocationMessage: l10n.t('Listing transcription jobs') };
      case 'getJob':
        return {
          invocationMessage:
            isJsonObject(input) && input['includeResult'] === true
              ? l10n.t('Reading a transcription job with its result')
              : l10n.t('Reading a transcription job'),
        };
      case 'overdue':
        return { invocationMessage: l10n.t('Looking for overdue transcription jobs') };
      case 'failures':
        return { invocationMessage: l10n.t('Looking for failed transcription jobs') };
      case 'count':
        return { invocationMessage: l10n.t('Counting transcription jobs') };
      case 'checkRequest':
        return { invocationMessage: l10n.t('Checking a transcription request') };
      case 'submitRequest':
        return {
          invocationMessage: l10n.t('Submitting a transcription request'),
          confirmationMessages: {
            title: l10n.t('Submit a transcription request?'),
            message: await this.#question(input),
          },
        };
    }
  }

  /** Runs a tool. @throws Error with a sentence for the model */
  async invoke(
    name: ToolName,
    input: unknown,
    token: vscode.CancellationToken,
  ): Promise<vscode.LanguageModelToolResult> {
    const abort = new AbortController();
    const listening = token.onCancellationRequested(() => abort.abort());
    try {
      const answer = await this.#answer(name, input, abort.signal);
      return new vscode.LanguageModelToolResult([
        new vscode.LanguageModelTextPart(severalLines(answer, maxAnswerLength)),
      ]);
    } catch (error) {
      const sentence = sentenceOf(error);
      if (sentence === undefined) throw error;
      // A failure may contain text of the service.
      const answer = isFailure(error) ? fenced(maskAddresses(sentence)) : sentence;
      // oxlint-disable-next-line preserve-caught-error -- the text of the error itself is not masked
      throw new Error(severalLines(answer, maxAnswerLength));
    } finally {
      listening.dispose();
    }
  }

  async #answer(name: ToolName, input: unknown, signal: AbortSignal): Promise<string> {
    switch (name) {
      case 'listJobs':
        return this.#list(readToolInput(name, input), signal);
      case 'getJob':
        return this.#get(readToolInput(name, input), signal);
      case 'overdue':
      case 'failures':
        readToolInput(name, input);
        return this.#attention(name);
      case 'count':
        return this.#count(readToolInput(name, input), signal);
      case 'checkRequest':
        return this.#check(readToolInput(name, input));
      case 'submitRequest':
        return this.#submit(input, signal);
    }
  }

  async #list(input: ToolInput<'listJobs'>, signal: AbortSignal): Promise<string> {
    const { kind, limit } = input;
    const params: ListParams = { limit: listLimit(limit), ...readConditions(input) };
    this.#requireReadable();
    const page = await this.#services.service.connected().readPage(kind, params, signal);
    return this.#masked(await new WorkSlices().run(listAnswer(page.entries, page.hasMore, this.#mask)));
  }

  /** Sends the same queries as a refresh of the view. */
  async #attention(name: 'overdue' | 'failures'): Promise<string> {
    this.#requireReadable();
    const { actions, facts } = this.#services;
    const read = await actions.attention.read();
    return this.#masked(
      name === 'overdue' ? overdueAnswer(read, this.#mask) : failuresAnswer(read, facts.errorLabels, this.#mask),
    );
  }

  async #count(input: ToolInput<'count'>, signal: AbortSignal): Promise<string> {
    this.#requireReadable();
    const { service, clock } = this.#services;
    const query = { endpoint: input.kind, params: readConditions(input) };
    const result = await exactCount(service.connected(), query, { clock, signal });
    const answer = (count: object): string => this.#masked(jsonAnswer(count, this.#mask));
    switch (result.type) {
      case 'exact':
        return answer({ certainty: 'exact', count: result.count, at: new Date(result.atMs).toISOString() });
      case 'atLeast':
        return answer({ certainty: 'atLeast', count: result.count });
      case 'unreliable':
        return answer({ certainty: 'unknown' });
    }
  }

  async #get({ kind, id, createdAt, includeResult }: ToolInput<'getJob'>, signal: AbortSignal): Promise<string> {
    const { jobs, service } = this.#services;
    this.#requireReadable();
    const createdAtMs = createdAt === undefined ? undefined : Date.parse(createdAt);
    const job = jobs.get(kind, id) ?? (await service.findJob(kind, id, signal, { createdAtMs }));
    if (job !== undefined) {
      // The small fields of a large item are read without its text.
      const read =
        includeResult === true ? (jobs.whole(job) ?? (await jobs.readWhole(job, signal))) : withoutWholeText(job);
      const { data, note } = jobAnswer(read, { includeResult: includeResult ?? false, mask: this.#mask });
      return note === undefined ? this.#masked(data) : `${note}\n${this.#masked(data)}`;
    }
    return vscode.l10n.t('The {0} job {1} was not found among those searched; it may still exist.', kind, id);
  }

  /** Returns a result whose strings are masked; masks parts of a key between the strings as well. */
  #masked(answer: string): string {
    return fenced(this.#mask(answer));
  }

  /** @throws UserError if the user does not allow agents to read the current connection */
  #requireReadable(): void {
    const connection = this.#services.connections.current;
    const names = this.#services.settings.getOfUser('agents.connections');
    if (connection === undefined || names.includes('*') || names.includes(connection.name)) return;
    throw new UserError(
      vscode.l10n.t(
        "Agents can't read the connection {0}: it is not listed in the setting {1}.",
        connection.name,
        settingId('agents.connections'),
      ),
    );
  }

  async #check({ request }: ToolInput<'checkRequest'>): Promise<string> {
    return bounded((await this.#services.actions.submit.openRequestTool()).check(request));
  }

  async #submit(input: unknown, signal: AbortSignal): Promise<string> {
    const { request } = readToolInput('submitRequest', input);
    const isConfirmed = this.#confirmed.take(input);
    const outcome = await (await this.#services.actions.submit.openRequestTool()).submit(request, isConfirmed, signal);
    const sentence = outcomeSentence(outcome);
    if (outcome.type === 'rejected' || outcome.type === 'notSent') throw new UserError(sentence);
    // An id may be any line of text.
    return outcome.type !== 'accepted' || isWord(outcome.id ?? '') ? sentence : fenced(maskAddresses(sentence));
  }

  async #question(input: unknown): Promise<string | vscode.MarkdownString> {
    const connection = this.#services.connections.current;
    this.#confirmed.note(input, connection);
    if (connection === undefined) return vscode.l10n.t('No connection to submit to.');
    let request: string;
    try {
      ({ request } = readToolInput('submitRequest', input));
    } catch {
      request = '';
    }
    return (await this.#services.actions.submit.openRequestTool()).describe(connection, request);
  }
}

/** True if a text is a short word like most ids, which cannot be read as an instruction. */
function isWord(text: string): boolean {
  return /^[\w.:-]{0,80}$/.test(text);
}

/** Returns an error as a sentence for the model; undefined if it has none. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof Undecodable ? vscode.l10n.t('Invalid input: {0}', error.message) : knownErrorSentence(error);
}

/** In characters. Above the limit of `bounded` plus its note. */
const maxAnswerLength = 25_000;

/** Max number of remembered confirmations; an unanswered one is never removed otherwise. */
const maxQuestions = 100;

/**
 * The connection named in each submission's confirmation. The editor confirms first and later invokes the tool, identified by its input
 * alone; the current connection may have changed in between.
 */
class ConfirmedConnections {
  readonly #confirmed: { readonly input: string; readonly service: string | undefined }[] = [];

  /** @param connection the connection named in the confirmation; undefined if there was none. */
  note(input: unknown, connection: Connection | undefined): void {
    this.#confirmed.push({ input: JSON.stringify(input), service: connection && serviceOf(connection) });
    if (this.#confirmed.length > maxQuestions) this.#confirmed.shift();
  }

  /** Removes the confirmations of an input. The returned function is true if all of them named the given connection. */
  take(input: unknown): (connection: Connection) => boolean {
    const key = JSON.stringify(input);
    const named = this.#confirmed.filter((each) => each.input === key).map(({ service }) => service);
    const left = this.#confirmed.filter((each) => each.input !== key);
    this.#confirmed.splice(0, this.#confirmed.length, ...left);
    return (connection) => named.length > 0 && named.every((service) => service === serviceOf(connection));
  }
}

/** Returns a key of everything that decides where a request goes and with which API key. */
function serviceOf({ name, baseUrl, apiKeyHeader }: Connection): string {
  return JSON.stringify([name, baseUrl, apiKeyHeader]);
}
