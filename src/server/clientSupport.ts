import { isJsonObject } from '../base/json/json.ts';

/** What the client can do, from its capabilities. Without a capability, the oldest clients are assumed. */
export type ClientSupport = ReturnType<typeof readClientSupport>;

/** Reads the capabilities of a client. Values of wrong types count as missing. */
export function readClientSupport(capabilities: unknown) {
  const at = (path: string): unknown =>
    path.split('.').reduce<unknown>((value, key) => (isJsonObject(value) ? value[key] : undefined), capabilities);
  const has = (path: string): boolean => at(path) === true;
  const lists = (path: string, entry: string): boolean => {
    const values = at(path);
    return Array.isArray(values) && values.includes(entry);
  };
  const completion = 'textDocument.completion.completionItem';
  const action = 'textDocument.codeAction';
  const canRefresh = has('workspace.diagnostics.refreshSupport');
  const canPull = isJsonObject(at('textDocument.diagnostic'));
  return {
    snippets: has(`${completion}.snippetSupport`),
    labelDetails: has(`${completion}.labelDetailsSupport`),
    markdownDocumentation: lists(`${completion}.documentationFormat`, 'markdown'),
    markdownHover: lists('textDocument.hover.contentFormat', 'markdown'),
    /** Without it, code actions are commands. */
    actionLiterals: isJsonObject(at(`${action}.codeActionLiteralSupport`)),
    preferredActions: has(`${action}.isPreferredSupport`),
    /** Without it, actions need their edits at once. */
    resolvedEdits: lists(`${action}.resolveSupport.properties`, 'edit') && has(`${action}.dataSupport`),
    versionedEdits: has('workspace.workspaceEdit.documentChanges'),
    appliedEdits: has('workspace.applyEdit'),
    /** True if the client queries findings itself. Those that cannot be asked to query again get them pushed. */
    pulledFindings: canPull && (canRefresh || at('textDocument.publishDiagnostics') === undefined),
    refreshedFindings: canRefresh,
    findingVersions: has('textDocument.publishDiagnostics.versionSupport'),
    relatedFindings:
      has('textDocument.publishDiagnostics.relatedInformation') || has('textDocument.diagnostic.relatedInformation'),
    positionEncodings: Array.isArray(at('general.positionEncodings')),
    configuration: has('workspace.configuration'),
    registeredConfiguration: has('workspace.didChangeConfiguration.dynamicRegistration'),
    watchedFiles: has('workspace.didChangeWatchedFiles.dynamicRegistration'),
    relativePatterns: has('workspace.didChangeWatchedFiles.relativePatternSupport'),
    workspaceFolders: has('workspace.workspaceFolders'),
  };
}
