/** The editors that tests can run in, as versions of the npm package `code-server`. */
export const editorVersions = {
  /** The one at or above `engines.vscode` that is the oldest in the npm registry: VS Code 1.103. */
  oldest: '4.103.2',
  /** What tests use unless told otherwise: VS Code 1.139. */
  newest: '4.139.1',
} as const;

export type EditorAge = keyof typeof editorVersions;

export function isEditorAge(text: string | undefined): text is EditorAge {
  return text !== undefined && Object.hasOwn(editorVersions, text);
}
