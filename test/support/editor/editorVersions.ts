/** The editors that tests can run in, as versions of the npm package `code-server`. */
export const editorVersions = {
  /** The oldest version in the npm registry that satisfies `engines.vscode`: VS Code 1.103. */
  oldest: '4.103.2',
  /** The default for tests: VS Code 1.139. */
  newest: '4.139.1',
} as const;

export type EditorAge = keyof typeof editorVersions;

export function isEditorAge(text: string | undefined): text is EditorAge {
  return text !== undefined && Object.hasOwn(editorVersions, text);
}
