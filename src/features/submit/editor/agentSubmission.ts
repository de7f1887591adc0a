import * as vscode from 'vscode';
import type { Connection } from '../../../connections/common/connection.ts';
import { harmlessJson, oneLine } from '../../../base/outsideText.ts';
import { sameBodySent, type SubmissionOutcome } from '../../../jobs/common/submission.ts';
import { digest } from '../../../base/digest.ts';
import { presentFacts, sameBodyText, warningLines } from './confirmSubmission.ts';
import { outgoingRequest, warningsOf } from './sendableRequest.ts';
import type { Submissions } from './submissions.ts';

/** In characters. A longer request is opened in an editor instead: its beginning does not represent the rest. */
const maxShown = 1500;

/** Operations on requests that agents may call. */
export class AgentSubmission {
  readonly #submissions: Submissions;

  constructor(submissions: Submissions) {
    this.#submissions = submissions;
  }

  /** Reports if a request can be submitted, and its findings, one per line. */
  check(request: string): string {
    const gate = this.#submissions.gate(request);
    const findings = gate.type === 'ok' ? gate.warnings : gate.findings;
    const lines = findings.map(({ severity, code, message }) => `${severity} ${code}: ${message}`);
    const verdict =
      gate.type === 'ok'
        ? vscode.l10n.t('The request can be submitted.')
        : vscode.l10n.t("The request can't be submitted.");
    return [verdict, ...lines].join('\n');
  }

  /** Sends a request that the user has confirmed. @throws UserError or Failure when nothing can be sent */
  submit(
    request: string,
    isConfirmed: (connection: Connection) => boolean,
    signal: AbortSignal,
  ): Promise<SubmissionOutcome> {
    return this.#submissions.submitText(request, isConfirmed, signal);
  }

  /**
   * Returns the confirmation of an agent's request: the same as for the user's own requests, computed from the body, as plain text because
   * the model wrote part of it.
   */
  async describe(connection: Connection, request: string): Promise<vscode.MarkdownString> {
    const question = new vscode.MarkdownString();
    const gate = this.#submissions.gate(request);
    if (gate.type === 'blocked') {
      const why = gate.findings[0]?.message ?? '';
      return question.appendText(vscode.l10n.t("The request can't be sent: {0}", why));
    }
    const { body, audioUrl } = outgoingRequest('', gate);
    const nowMs = this.#submissions.services.clock.now();
    const bodyHash = digest(body);
    const same = sameBodySent(await this.#submissions.readSame(connection, new Set([bodyHash])), bodyHash, nowMs);
    const lines = [
      vscode.l10n.t('Connection: {0}', connection.name),
      ...(await presentFacts(connection, [{ body, audioUrl }])),
      ...(same === undefined ? [] : [sameBodyText(same, nowMs)]),
      ...warningLines(warningsOf(gate).map(({ message }) => message)),
    ];
    for (const line of lines) question.appendText(oneLine(line, 600)).appendMarkdown('\n\n');
    return body.length > maxShown ? question : question.appendCodeblock(harmlessJson(body), 'json');
  }
}
