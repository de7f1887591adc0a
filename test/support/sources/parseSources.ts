import type { SourceFile } from 'typescript/unstable/ast';
import { createVirtualFileSystem } from 'typescript/unstable/fs';
import { API } from 'typescript/unstable/sync';

const root = '/sources';

/** Syntax trees of TypeScript texts by path. Nothing is resolved or checked, so snippets may be incomplete. */
export function parseSources(texts: ReadonlyMap<string, string>): ReadonlyMap<string, SourceFile> {
  const config = `${root}/tsconfig.json`;
  const files = Object.fromEntries([...texts].map(([path, text]) => [`${root}/${path}`, text]));
  const compilerOptions = { noLib: true, noResolve: true, types: [] };
  files[config] = JSON.stringify({ compilerOptions, files: [...texts.keys()] });
  const api = new API({ cwd: root, fs: createVirtualFileSystem(files) });
  try {
    const program = api.updateSnapshot({ openProjects: [config] }).getProject(config)?.program;
    return new Map(
      [...texts.keys()].map((path) => {
        const tree = program?.getSourceFile(`${root}/${path}`);
        if (!tree) throw new Error(`${path} was not parsed`);
        return [path, tree];
      }),
    );
  } finally {
    api.close();
  }
}

/** The syntax tree of a snippet. */
export function parseSnippet(text: string): SourceFile {
  const path = 'snippet.ts';
  const tree = parseSources(new Map([[path, text]])).get(path);
  if (!tree) throw new Error('the snippet was not parsed');
  return tree;
}
