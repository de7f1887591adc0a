import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { transform } from 'esbuild';
import { atomicFolder } from './atomicFolder.ts';
import { editorVersions } from './editorVersions.ts';
import { npm } from './npm.ts';
import { pinOf, requireKnownPackages, unpackNpmPackage } from './npmPackage.ts';
import { repositoryRoot } from './repositoryRoot.ts';
import { UserError } from './userError.ts';

/** The folder for downloads, which @vscode/test-electron uses, too. */
export const defaultCacheDir = join(repositoryRoot, '.vscode-test');

/** An editor server that is ready to start. */
export interface ProvisionedEditor {
  /** Folder with `out/server-main.js`. */
  readonly root: string;
  /** The Node version required by this editor; the extension host uses it, too. */
  readonly node: string;
}

/** Dependencies of newer servers that are only used by agents: larger than all others together. */
const agentParts = ['@github/copilot-sdk', '@microsoft/mxc-sdk', '@devcontainers/cli'];

/**
 * The editor's search. Up to 1.15 an install script downloads its binary, but no scripts run here; from 1.17 on the
 * binary is an npm package.
 */
const searchPart = { name: '@vscode/ripgrep', version: '1.18.0' } as const;

/** Exact Node releases by the major version that an editor requires. */
const nodeReleases: Readonly<Record<string, string>> = { 22: '22.23.2' };

/**
 * Provides VS Code as a server with its web workbench, from the npm package `code-server`; downloaded once per version.
 * @throws UserError if the registry cannot be reached or lacks the version
 */
export async function provisionEditor(
  version: string = editorVersions.newest,
  cacheDir = defaultCacheDir,
): Promise<ProvisionedEditor> {
  const logger = readFileSync(join(repositoryRoot, 'test/support/editor/fileLogger.ts'), 'utf8');
  const folder = await atomicFolder({
    cacheDir,
    key: `code-server-${version}`,
    ingredients: `${logger}${pinOf(`code-server@${version}`)}`,
    make: async (fresh) => {
      console.error(`Downloading the editor, code-server ${version} (about 50 MB, once) …`);
      await unpackNpmPackage('code-server', version, fresh);
      const server = join(fresh, 'package/lib/vscode');
      adaptParts(join(server, 'package.json'));
      // Install scripts would build native modules, which the server can do without. The built-in extensions' shared
      // dependency is TypeScript, which only its own language needs.
      await npm(['install', '--omit=dev', '--ignore-scripts'], `install the parts of code-server ${version}`, {
        cwd: server,
      });
      requireKnownPackages(server);
      writeFileSync(
        join(server, 'node_modules/@vscode/spdlog/index.js'),
        (await transform(logger, { loader: 'ts' })).code,
      );
    },
  });
  return { root: join(folder, 'package/lib/vscode'), node: await provisionNode(requiredNode(folder), cacheDir) };
}

/** Removes dependencies that no test needs from a manifest, and chooses a search that needs no script. */
function adaptParts(manifestFile: string): void {
  const manifest = JSON.parse(readFileSync(manifestFile, 'utf8')) as { readonly dependencies: Record<string, string> };
  for (const name of agentParts) delete manifest.dependencies[name];
  if (searchPart.name in manifest.dependencies) manifest.dependencies[searchPart.name] = searchPart.version;
  writeFileSync(manifestFile, JSON.stringify(manifest, undefined, 2));
}

function requiredNode(folder: string): string {
  const manifest: unknown = JSON.parse(readFileSync(join(folder, 'package/package.json'), 'utf8'));
  const { engines } = manifest as { readonly engines: { readonly node: string } };
  return engines.node;
}

// The exact version matters: under Node 24 the extension hosts of 2025 hang while loading an ES module extension.
async function provisionNode(major: string, cacheDir: string): Promise<string> {
  if (process.versions.node.startsWith(`${major}.`)) return process.execPath;
  const release = nodeReleases[major];
  if (release === undefined)
    throw new UserError(`This editor needs Node ${major}; run it through "npm run", which brings Node 24.`);
  const windows = process.platform === 'win32';
  const onAppleSilicon = process.platform === 'darwin' && process.arch === 'arm64';
  const name = `node-${onAppleSilicon ? 'bin-' : ''}${windows ? 'win' : process.platform}-${process.arch}`;
  const folder = await atomicFolder({
    cacheDir,
    key: `${name}-${release}`,
    ingredients: pinOf(`${name}@${release}`),
    make: (fresh) => unpackNpmPackage(name, release, fresh),
  });
  return join(folder, 'package/bin', windows ? 'node.exe' : 'node');
}
