import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';

/** An extension of one file, made only for tests and measurements. */
export interface SmallExtension {
  readonly name: string;
  /** What `package.json` says besides the usual. */
  readonly manifest: object;
  /** The ES module that is its `main`. */
  readonly code: string;
}

/** Packages it in a folder of its own below `folder`. @returns the path of the VSIX. */
export async function packExtension(folder: string, { name, manifest, code }: SmallExtension): Promise<string> {
  const cwd = join(folder, name);
  mkdirSync(cwd, { recursive: true });
  const described = {
    name,
    publisher: 'bench',
    version: '1.0.0',
    engines: { vscode: '^1.101.0' },
    type: 'module',
    main: './extension.js',
    activationEvents: [],
    ...manifest,
  };
  writeFileSync(join(cwd, 'package.json'), JSON.stringify(described));
  writeFileSync(join(cwd, 'extension.js'), code);
  writeFileSync(join(cwd, '.vscodeignore'), '');
  const packagePath = `${cwd}.vsix`;
  const flags = ['--no-dependencies', '--allow-missing-repository', '--skip-license', '--out', packagePath];
  const result = await runTool(process.execPath, [vsce, 'package', ...flags], { cwd });
  if (result.code !== 0) throw new Error(`${name} was not packaged: ${result.stderr}`);
  return packagePath;
}

const vsce = join(repositoryRoot, 'node_modules/@vscode/vsce/vsce');
