import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { runTool } from '../editor/runTool.ts';

/** A single-file extension for tests and measurements. */
export interface SmallExtension {
  readonly name: string;
  /** Additional properties for `package.json`. */
  readonly manifest: object;
  /** The source of the ES module that `main` refers to. */
  readonly code: string;
}

/** Packs the extension in its own folder below `folder`. @returns the path of the VSIX. */
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
