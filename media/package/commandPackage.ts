// The npm package of the command `transcription-requests`, which needs only Node at run time and no editor.

/** Returns the README of the command's package, from its page in `docs/` and the one with the recipes for editors. */
export function commandReadme(page: string, editors: string): string {
  // The package has no other page.
  return `${page}\n${editors.replace(/^# /u, '## ')}`.replaceAll(/\[([^\]]+)\]\([\w-]+\.md\)/gu, '$1');
}

/** Files of the command's package, each with its source in the repository or the build. */
export const commandFiles: Readonly<Record<string, string>> = {
  'dist/cli.js': 'dist/cli.js',
  'request.schema.json': 'media/schemas/request.schema.json',
  'problem-matcher.json': 'media/command/problem-matcher.json',
  LICENSE: 'LICENSE',
  'THIRD_PARTY_NOTICES.txt': 'dist/cli.THIRD_PARTY_NOTICES.txt',
  'sbom.cdx.json': 'dist/cli.sbom.cdx.json',
};

/** What the manifests of the extension and of the command share. */
export interface SharedManifest {
  readonly version: string;
  readonly repository?: unknown;
  readonly bugs?: unknown;
  readonly homepage?: unknown;
}

/** Returns the manifest of the command's package. */
export function commandManifest({ version, repository, bugs, homepage }: SharedManifest): string {
  const manifest = {
    name: 'transcription-requests',
    version,
    description:
      'Checks, fixes and explains speech-to-text request files (*.transcription.json), and serves them to editors',
    license: 'MIT',
    repository,
    bugs,
    homepage,
    type: 'module',
    bin: { 'transcription-requests': './dist/cli.js' },
    files: Object.keys(commandFiles),
    engines: { node: '>=22' },
    keywords: ['transcription', 'speech-to-text', 'lint', 'lsp', 'language-server'],
  };
  return `${JSON.stringify(manifest, undefined, 2)}\n`;
}
