import * as vscode from 'vscode';
import { commandIds, explainCommand } from '../../../platform/editor/ids.ts';
import { registerCommand, runCommand, runQuietly } from '../../../platform/editor/runCommand.ts';
import {
  checkTaskType,
  fixAllKind,
  helpScheme,
  isRequestFile,
  pastedTypes,
  pasteKind,
  previewScheme,
  requestSelector,
} from '../../../language/editor/requestFileType.ts';
import type { RequestFeatures } from './requestFeatures.ts';
import type { RequestServices } from '../../../services.ts';

/**
 * All features of request files except submission: diagnostics, fixes, lens, completion, templates, preview, checks.
 * Only registers them; the implementation is loaded with the first request file or command.
 */
export function registerRequestFiles(services: RequestServices): vscode.Disposable {
  const { log, actions } = services;
  const previewChanged = new vscode.EventEmitter<vscode.Uri>();
  let loading: Promise<RequestFeatures> | undefined;
  const load = (): Promise<RequestFeatures> => {
    loading ??= import('./requestFeatures.ts').then((loaded) => new loaded.RequestFeatures(services, previewChanged));
    return loading;
  };
  const begin = (document: vscode.TextDocument): void => {
    if (isRequestFile(document)) void runQuietly(log, async () => void (await load()));
  };

  const { commands, languages, workspace, tasks } = vscode;
  const { QuickFix, RefactorRewrite } = vscode.CodeActionKind;
  const registered = vscode.Disposable.from(
    previewChanged,
    workspace.onDidOpenTextDocument(begin),
    languages.registerCodeLensProvider(requestSelector, {
      provideCodeLenses: async (document) => (await load()).lenses.provideCodeLenses(document),
    }),
    languages.registerCodeActionsProvider(
      requestSelector,
      {
        provideCodeActions: async (document, range, context) =>
          (await load()).actions.provideCodeActions(document, range, context),
        resolveCodeAction: async (action) => (await load()).actions.resolveCodeAction(action),
      },
      { providedCodeActionKinds: [QuickFix, RefactorRewrite, fixAllKind] },
    ),
    languages.registerCompletionItemProvider(
      requestSelector,
      {
        provideCompletionItems: async (document, position) =>
          (await load()).completion.provideCompletionItems(document, position),
      },
      '"',
    ),
    languages.registerHoverProvider(requestSelector, {
      provideHover: async (document, position) => (await load()).hover.provideHover(document, position),
    }),
    languages.registerDocumentPasteEditProvider(
      requestSelector,
      {
        provideDocumentPasteEdits: async (document, ranges, data) =>
          (await load()).paste.provideDocumentPasteEdits(document, ranges, data),
        resolveDocumentPasteEdit: async (edit) => (await load()).paste.resolveDocumentPasteEdit(edit),
      },
      { providedPasteEditKinds: [pasteKind], pasteMimeTypes: [...pastedTypes] },
    ),
    languages.registerDocumentDropEditProvider(
      requestSelector,
      {
        provideDocumentDropEdits: async (document, position, data) =>
          (await load()).paste.provideDocumentDropEdits(document, position, data),
      },
      { providedDropEditKinds: [pasteKind], dropMimeTypes: [...pastedTypes] },
    ),
    workspace.registerTextDocumentContentProvider(helpScheme, {
      provideTextDocumentContent: async (uri) => (await load()).help.provideTextDocumentContent(uri),
    }),
    workspace.registerTextDocumentContentProvider(previewScheme, {
      onDidChange: previewChanged.event,
      provideTextDocumentContent: async (uri) => (await load()).preview.textOf(uri),
    }),
    tasks.registerTaskProvider(checkTaskType, {
      provideTasks: async () => (await load()).tasks.provideTasks(),
      resolveTask: async (task) => (await load()).tasks.resolveTask(task),
    }),
    commands.registerCommand(explainCommand, (...given: readonly unknown[]) =>
      runCommand(log, async () => (await load()).help.explain(given)),
    ),
    registerCommand(log, commandIds.newRequest, async (...given) => (await load()).newRequest(given)),
    registerCommand(log, commandIds.newRequestFromJob, async (...given) => (await load()).newRequestFromJob(given)),
    registerCommand(log, commandIds.openRequest, async (...given) => (await load()).openRequestOf(given)),
    registerCommand(log, commandIds.retryJob, async (...given) => (await load()).retryJob(given)),
    registerCommand(log, commandIds.checkRequest, async (...given) => (await load()).check(given)),
    registerCommand(log, commandIds.previewRequest, async (...given) => (await load()).preview.show(given)),
  );
  workspace.textDocuments.forEach(begin);
  actions.provide('requests', {
    retryJob: async (job) => (await load()).retryJob([], job),
    newRequestFromJob: async (job) => (await load()).newRequestFromJob([], job),
    openRequestOf: async (job) => (await load()).openRequestOf([], job),
  });
  return new vscode.Disposable(() => {
    registered.dispose();
    void loading?.then((features) => features.dispose());
  });
}
