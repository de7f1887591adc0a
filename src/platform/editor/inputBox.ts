import * as vscode from 'vscode';
import type { CheckedText } from '../../base/checkedText.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import { plainMessage } from './messages.ts';

/** One step of several. */
export interface InputStep {
  /** Starts at 1. */
  readonly number: number;
  readonly canGoBack: boolean;
  readonly prompt: string;
  readonly placeholder: string;
  /** Initial value; selected, so that typing replaces it. */
  readonly typed: string;
  /** Masks the input. */
  readonly secret: boolean;
  /** The reason why the step is shown again. */
  readonly problem: string | undefined;
  readonly check: (typed: string) => CheckedText;
}

/** The user's answer to a step. */
export type StepAnswer =
  /** In normalised form. */
  | { readonly type: 'next'; readonly text: string }
  | { readonly type: 'back'; readonly typed: string }
  | { readonly type: 'closed' };

/** One input box for a sequence of steps, with the editor's Back button. Stays open when it loses focus. */
export class StepBox extends DisposableOwner {
  readonly #box = this.own(vscode.window.createInputBox());
  readonly #steps: number;
  #closed = false;

  constructor(title: string, steps: number) {
    super();
    this.#box.title = title;
    this.#box.ignoreFocusOut = true;
    this.#steps = steps;
    this.own(this.#box.onDidHide(() => (this.#closed = true)));
  }

  /** Prompts until the answer is valid, or the user goes back or cancels. */
  async ask(step: InputStep): Promise<StepAnswer> {
    if (this.#closed) return { type: 'closed' };
    const box = this.#box;
    if (this.#steps > 1) {
      box.step = step.number;
      box.totalSteps = this.#steps;
    }
    box.buttons = step.canGoBack ? [vscode.QuickInputButtons.Back] : [];
    box.prompt = plainMessage(step.prompt);
    box.placeholder = step.placeholder;
    box.password = step.secret;
    box.value = step.typed;
    box.valueSelection = [0, step.typed.length];
    box.validationMessage = step.problem === undefined ? undefined : plainMessage(step.problem);
    box.show();
    return this.#listen<StepAnswer>((settle) => [
      box.onDidChangeValue((typed) => (box.validationMessage = normalForm(step, typed))),
      box.onDidAccept(() => {
        const checked = step.check(box.value);
        if (checked.type === 'good') settle({ type: 'next', text: checked.text });
        else box.validationMessage = plainMessage(checked.problem);
      }),
      box.onDidTriggerButton(() => settle({ type: 'back', typed: box.value })),
      box.onDidHide(() => settle({ type: 'closed' })),
    ]);
  }

  /** Keeps the box open and busy during an attempt. Closing it fires the signal. */
  async whileTrying<T>(prompt: string, attempt: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    if (this.#closed) abort.abort();
    const listening = new DisposableOwner();
    listening.own(this.#box.onDidHide(() => abort.abort()));
    const { value } = this.#box;
    // Not disabled: a disabled box loses the focus and would not receive Escape.
    listening.own(this.#box.onDidChangeValue(() => (this.#box.value = value)));
    this.#box.busy = true;
    this.#box.buttons = [];
    this.#box.prompt = plainMessage(prompt);
    this.#box.validationMessage = undefined;
    try {
      return await attempt(abort.signal);
    } finally {
      listening.dispose();
      this.#box.busy = false;
    }
  }

  async #listen<T>(listen: (settle: (value: T) => void) => readonly vscode.Disposable[]): Promise<T> {
    const listening = new DisposableOwner();
    try {
      return await new Promise<T>((resolve) => {
        for (const listener of listen(resolve)) listening.own(listener);
      });
    } finally {
      listening.dispose();
    }
  }
}

/** Returns the normalised value, if it differs from the typed one. */
function normalForm(step: InputStep, typed: string): vscode.InputBoxValidationMessage | undefined {
  const checked = step.check(typed);
  if (step.secret || checked.type === 'bad' || checked.text === typed.trim()) return undefined;
  return {
    message: plainMessage(vscode.l10n.t('Will be sent as {0}', checked.text)),
    severity: vscode.InputBoxValidationSeverity.Info,
  };
}

/** A text input, which may be a step of several. */
export interface TextPrompt {
  readonly title: string;
  readonly prompt: string;
  readonly typed: string;
  readonly canGoBack: boolean;
  readonly check: (typed: string) => CheckedText;
}

/** Prompts for a text. The box shows the interpreted value while the user types. */
export async function askText({ title, ...prompt }: TextPrompt): Promise<StepAnswer> {
  const box = new StepBox(title, 1);
  try {
    return await box.ask({ ...prompt, number: 1, placeholder: '', secret: false, problem: undefined });
  } finally {
    box.dispose();
  }
}
