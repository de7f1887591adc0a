import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { t } from '@vscode/l10n';
import type * as vscode from 'vscode';
import { Emitter } from '../../../src/base/emitter.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { PagePanel } from './pagePanel.ts';

// Replaces the module `vscode` in tests of pages that run the code behind them: it is bundled in its place, and has only what that code
// uses. `stubEditor` records the calls.

class StubEditor {
  /** The last copied text. */
  clipboard = '';
  /** Recorded calls, such as `command vscode.open` or `external https://…`. */
  readonly asked: string[] = [];
  /** Messages and questions, such as `error The key was rejected.` */
  readonly messages: string[] = [];
  /** The last text of the status bar. */
  status = '';
  /** The answer to an input box, the button of a message, or the label of a choice; undefined closes it. */
  answer: string | undefined;
  /** Values of the settings of the extension; the defaults of the manifest for all others. */
  settings: Readonly<Record<string, unknown>> = {};
  /** Makes the panel of a webview. */
  createPanel: (viewType: string) => PagePanel = () => {
    throw new Error('There is no browser for a page: see usePages.ts');
  };
  /** The display language, and the translations of the product's texts; see `pageLanguage.ts`. */
  language = 'en';
  strings: Readonly<Record<string, string>> | undefined;

  /** Clears the recorded calls and the prepared answer. */
  reset(): void {
    this.clipboard = '';
    this.asked.length = 0;
    this.messages.length = 0;
    this.status = '';
    this.answer = undefined;
    this.settings = {};
  }
}

export const stubEditor = new StubEditor();

const manifest = JSON.parse(readFileSync(join(repositoryRoot, 'package.json'), 'utf8')) as {
  readonly contributes: {
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default?: unknown }>>;
    }[];
  };
};

export { Emitter as EventEmitter };

export class CancellationError extends Error {}

export const ViewColumn = { Active: -1, Beside: -2 };
export const ConfigurationTarget = { Global: 1, Workspace: 2, WorkspaceFolder: 3 };

/** Modules define their kinds when they are loaded. */
export const CodeActionKind = { SourceFixAll: { append: (kind: string) => kind } };
export const DocumentDropOrPasteEditKind = { Empty: { append: (kind: string) => kind } };

/** A path with a scheme, like the editor's class of this name. */
export class Uri {
  readonly scheme: string;
  readonly path: string;

  constructor(scheme: string, path: string) {
    this.scheme = scheme;
    this.path = path;
  }

  static file(path: string): Uri {
    return new Uri('file', path);
  }

  static joinPath(base: Uri, ...parts: readonly string[]): Uri {
    return new Uri(base.scheme, [base.path, ...parts].join('/'));
  }

  toString(): string {
    return `${this.scheme}://${this.path}`;
  }
}

export const l10n = {
  t,
  get bundle() {
    return stubEditor.strings;
  },
};

export const env = {
  get language() {
    return stubEditor.language;
  },
  uriScheme: 'vscode',
  clipboard: {
    writeText: (text: string) => {
      stubEditor.clipboard = text;
      return Promise.resolve();
    },
  },
  openExternal: (address: unknown) => {
    stubEditor.asked.push(`external ${String(address)}`);
    return Promise.resolve(true);
  },
};

const noEvent = new Emitter<never>().event;

function show(severity: string) {
  return (message: string, options?: string | { readonly detail?: string }) => {
    const detail = typeof options === 'object' ? ` ${options.detail ?? ''}` : '';
    stubEditor.messages.push(`${severity} ${message}${detail}`);
    return Promise.resolve(stubEditor.answer);
  };
}

/** Picks {@link StubEditor.answer} as soon as it is shown. */
class StubQuickPick {
  readonly #accepted = new Emitter<void>();
  readonly #hidden = new Emitter<void>();
  readonly onDidAccept = this.#accepted.event;
  readonly onDidHide = this.#hidden.event;
  readonly onDidChangeValue = noEvent;
  readonly onDidChangeSelection = noEvent;
  readonly onDidTriggerButton = noEvent;
  readonly onDidTriggerItemButton = noEvent;
  title = '';
  items: readonly vscode.QuickPickItem[] = [];
  selectedItems: readonly vscode.QuickPickItem[] = [];
  activeItems: readonly vscode.QuickPickItem[] = [];

  show(): void {
    stubEditor.messages.push(`pick ${this.title}`);
    this.selectedItems = this.items.filter(({ label }) => label === stubEditor.answer);
    queueMicrotask(() => (this.selectedItems.length > 0 ? this.#accepted : this.#hidden).fire());
  }

  dispose(): void {
    // It closes as soon as it has answered.
  }
}

export const window = {
  state: { focused: true },
  onDidChangeWindowState: noEvent,
  createWebviewPanel: (viewType: string) => stubEditor.createPanel(viewType).asPanel,
  setStatusBarMessage: (text: string) => {
    stubEditor.status = text;
  },
  showInputBox: ({ title }: vscode.InputBoxOptions) => {
    stubEditor.messages.push(`input ${title}`);
    return Promise.resolve(stubEditor.answer);
  },
  createQuickPick: () => new StubQuickPick(),
  showInformationMessage: show('information'),
  showWarningMessage: show('warning'),
  showErrorMessage: show('error'),
};

export const commands = {
  executeCommand: (...given: readonly unknown[]) => {
    stubEditor.asked.push(`command ${given.join(' ')}`);
    return Promise.resolve();
  },
};

export const extensions = { getExtension: () => ({ packageJSON: manifest }) };

export const workspace = {
  isTrusted: true,
  onDidChangeConfiguration: noEvent,
  onDidGrantWorkspaceTrust: noEvent,
  getConfiguration: (section: string) => {
    const defaultOf = (name: string): unknown =>
      manifest.contributes.configuration.find(({ properties }) => Object.hasOwn(properties, `${section}.${name}`))
        ?.properties[`${section}.${name}`]?.default;
    return {
      get: (name: string) => stubEditor.settings[name] ?? defaultOf(name),
      inspect: (name: string) => ({ globalValue: stubEditor.settings[name], defaultValue: defaultOf(name) }),
      update: async (name: string, value: unknown) => {
        stubEditor.settings = { ...stubEditor.settings, [name]: value };
      },
    };
  },
};
