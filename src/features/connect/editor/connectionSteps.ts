import * as vscode from 'vscode';
import {
  checkDraftField,
  draftFields,
  findFieldBehind,
  type ConnectionDraft,
  type DraftField,
  suggestConnectionName,
} from '../../../connections/common/connectionDraft.ts';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { keyVariable } from '../../../connections/common/connection.ts';
import { isFailure } from '../../../base/failure.ts';
import { endSentence, failureSentence, failureText } from '../../../base/failureText.ts';
import type { KeyHome } from '../../../connections/common/connectionState.ts';
import { StepBox } from '../../../platform/editor/inputBox.ts';

/** Differences between Connect to a Service and Edit Connection. */
export interface ConnectionPrompt {
  readonly title: string;
  readonly draft: ConnectionDraft;
  /** Names of the other connections. */
  readonly otherNames: readonly string[];
  /** Returns where a key for this base URL is already stored. */
  readonly keyHome: (baseUrl: string) => Promise<KeyHome | undefined>;
  /** Checks the connection. @throws Failure when it does not work */
  readonly attempt: (draft: ConnectionDraft, signal: AbortSignal) => Promise<void>;
}

/**
 * Prompts for a connection step by step and checks it. A failure returns to the step that caused it, with the cause and all input so far.
 * Stores nothing.
 * @returns the working draft, with an empty key to keep the stored one; undefined when the user cancels.
 */
export async function askConnection(prompt: ConnectionPrompt): Promise<ConnectionDraft | undefined> {
  const box = new StepBox(prompt.title, draftFields.length);
  try {
    let { draft } = prompt;
    let suggested: string | undefined;
    let problem: { readonly field: DraftField; readonly sentence: string } | undefined;
    for (let index = 0; ;) {
      const field = draftFields[index];
      if (field === undefined) {
        problem = await attempt(box, prompt, draft);
        if (problem === undefined) return draft;
        index = draftFields.indexOf(problem.field);
        continue;
      }
      if (field === 'name' && (draft.name === '' || draft.name === suggested)) {
        suggested = suggestConnectionName(draft.baseUrl, prompt.otherNames);
        draft = { ...draft, name: suggested };
      }
      const home = field === 'key' ? await prompt.keyHome(draft.baseUrl) : undefined;
      const answer = await box.ask({
        number: index + 1,
        canGoBack: index > 0,
        ...stepTexts(field, draft, home),
        typed: draft[field],
        secret: field === 'key',
        problem: problem?.field === field ? problem.sentence : undefined,
        check: (typed) => checkDraftField(field, typed, { otherNames: prompt.otherNames, hasKey: home !== undefined }),
      });
      if (answer.type === 'closed') return undefined;
      const before = draft;
      draft = { ...draft, [field]: answer.type === 'next' ? answer.text : answer.typed };
      // A key typed for one origin is not sent to another when the user presses Enter.
      if (field === 'baseUrl' && originOf(draft.baseUrl) !== originOf(before.baseUrl)) draft = { ...draft, key: '' };
      index += answer.type === 'next' ? 1 : -1;
      problem = undefined;
    }
  } finally {
    box.dispose();
  }
}

async function attempt(
  box: StepBox,
  prompt: ConnectionPrompt,
  draft: ConnectionDraft,
): Promise<{ readonly field: DraftField; readonly sentence: string } | undefined> {
  try {
    await box.whileTrying(vscode.l10n.t('Testing the connection…'), (signal) => prompt.attempt(draft, signal));
    return undefined;
  } catch (error) {
    if (!isFailure(error) || error.code === 'cancelled') throw error;
    const field = findFieldBehind(error);
    if (field !== 'key') return { field, sentence: failureSentence(error) };
    // The prompt itself contains the remedy for a wrong key.
    const { sentence } = failureText(error);
    if (error.code !== 'keyRejected') return { field, sentence };
    const header = vscode.l10n.t(
      'The key was sent in the header {0}. To change the header, go back.',
      draft.apiKeyHeader,
    );
    return { field, sentence: `${endSentence(sentence)} ${header}` };
  }
}

function stepTexts(
  field: DraftField,
  draft: ConnectionDraft,
  home: KeyHome | undefined,
): { readonly prompt: string; readonly placeholder: string } {
  const { l10n } = vscode;
  switch (field) {
    case 'baseUrl':
      return {
        prompt: l10n.t('Base URL of the service, without the paths that start with /v2.'),
        placeholder: 'https://api.example.com',
      };
    case 'apiKeyHeader':
      return { prompt: l10n.t('Name of the header for the API key.'), placeholder: '' };
    case 'key':
      return { prompt: keyPrompt(originOf(draft.baseUrl), home), placeholder: '' };
    case 'name':
      return {
        prompt: l10n.t('Name of the connection. It is tested now and saved if it works.'),
        placeholder: '',
      };
  }
}

/** Returns the prompt of the key step: where the key is sent and what an empty input means. */
export function keyPrompt(origin: string, home: KeyHome | undefined): string {
  const { l10n } = vscode;
  const purpose = l10n.t('API key. It is stored securely and sent to {0} only.', origin);
  switch (home) {
    case undefined:
      return purpose;
    case 'secretStorage':
      return `${purpose} ${l10n.t('Leave empty to keep the current one.')}`;
    case 'environment':
      return `${purpose} ${l10n.t('Leave empty to use the environment variable {0}.', keyVariable)}`;
  }
}
