import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { defaultSettings } from './defaultSettings.ts';
import { installExtensions } from './installExtensions.ts';
import { ProcessGroup } from './processGroup.ts';
import { temporaryFolder } from './ownedFolder.ts';
import { provisionEditor, type ProvisionedEditor } from './provisionEditor.ts';
import { repositoryRoot } from './repositoryRoot.ts';
import { onShutdown } from './shutdown.ts';
import manifest from '../../../package.json' with { type: 'json' };
import { UserError } from './userError.ts';

/** Options for {@link startEditor}. */
export interface EditorOptions {
  /** Version of code-server; by default the newest known one. */
  readonly version?: string;
  /** Path of one or more VSIX files to install before the start. */
  readonly extensionVsix?: string | readonly string[];
  /** A folder with installed extensions, see `installExtensions`; by default one in the data folder. */
  readonly extensionsDir?: string;
  /** Names of the built-in extensions to keep; by default all. */
  readonly builtinExtensions?: readonly string[];
  /** User settings, in addition to {@link defaultSettings}. */
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Folder that {@link Editor.url} opens; by default an empty window. */
  readonly folder?: string;
  /** False: the folder opens in Restricted Mode until it is trusted. */
  readonly trusted?: boolean;
  /**
   * True: tests can run in the extension host, given the URL's `payload`. The workbench then shows no notifications.
   */
  readonly testDriver?: boolean;
  /** 0: any free port. */
  readonly port?: number;
  /** Added to the environment of the server and the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** An existing data folder, for tests across restarts; by default a temporary one that is removed with the editor. */
  readonly dataDir?: string;
}

/** A running editor server. */
export interface Editor {
  /** Opens the workbench on the requested folder. */
  readonly url: string;
  readonly port: number;
  /** Contains `data/User/settings.json` and `data/logs/`. */
  readonly dataDir: string;
  /** Contains a folder for each installed extension. */
  readonly extensionsDir: string;
  /** The server's output so far. */
  output(): string;
  /** Resolves when the server ends without having been stopped. */
  readonly crashed: Promise<void>;
  /** Stops the server with all its extension hosts and removes a temporary data folder. Can be called repeatedly. */
  stop(): Promise<void>;
}

const startMs = 240_000;

/**
 * Starts VS Code as a server on loopback and resolves when it listens.
 * @throws UserError with the reason if it does not
 */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const editor = await provisionEditor(options.version);
  const runDir = temporaryFolder();
  const dataDir = options.dataDir ?? join(runDir.path, 'data');
  // Without XDG_RUNTIME_DIR, the server's sockets are created in a folder that is cleaned up.
  // Without a gallery there are no network requests.
  const { XDG_RUNTIME_DIR: _, ...inherited } = process.env;
  const env = { ...inherited, TMPDIR: runDir.path, EXTENSIONS_GALLERY: '{}', ...options.env };
  let group: ProcessGroup | undefined;
  const stop = async (): Promise<void> => {
    await group?.stop();
    runDir.remove();
    forget();
  };
  const forget = onShutdown(stop);
  try {
    writeSettings(dataDir, options.userSettings);
    const { extensionsDir = join(dataDir, 'extensions') } = options;
    await installExtensions([options.extensionVsix ?? []].flat(), extensionsDir, editor);
    const args = serverArguments(dataDir, extensionsDir, options);
    if (options.builtinExtensions !== undefined) {
      args.push(`--builtin-extensions-dir=${chooseBuiltin(editor, options.builtinExtensions, runDir.path)}`);
    }
    group = new ProcessGroup(editor.node, args, { cwd: editor.root, env });
    let output = '';
    const listening = await listeningPort(group, (text) => (output += text));
    const port = listening ?? fail(output, options.port);
    const { crashed } = group;
    return {
      url: windowUrl(port, options.folder),
      port,
      dataDir,
      extensionsDir,
      output: () => output,
      crashed,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Returns the address of a window. @param folder to open in it; by default none */
export function windowUrl(port: number, folder?: string): string {
  const query = folder === undefined ? 'ew=true' : `folder=${encodeURIComponent(folder)}`;
  return `http://127.0.0.1:${port}/?${query}`;
}

/** Creates a folder with links to the selected built-in extensions. */
function chooseBuiltin({ root }: ProvisionedEditor, names: readonly string[], parent: string): string {
  const folder = join(parent, 'builtin');
  mkdirSync(folder);
  // On Windows a junction needs no privilege; elsewhere the type is ignored.
  for (const name of names) symlinkSync(join(root, 'extensions', name), join(folder, name), 'junction');
  return folder;
}

/** The settings with scope `machine` in `package.json`. */
const machineSettings: ReadonlySet<string> = new Set(
  manifest.contributes.configuration
    .flatMap(({ properties }) => Object.entries<object>(properties))
    .filter(([, property]) => 'scope' in property && property.scope === 'machine')
    .map(([name]) => name),
);

function serverArguments(
  dataDir: string,
  extensionsDir: string,
  { port = 0, trusted = true, testDriver = false }: EditorOptions,
): string[] {
  const preload = pathToFileURL(join(repositoryRoot, 'test/support/editor/serverPreload.ts')).href;
  return [
    '--disable-warning=ExperimentalWarning',
    `--import=${preload}`,
    'out/server-main.js',
    '--host=127.0.0.1',
    `--port=${port}`,
    '--without-connection-token',
    '--accept-server-license-terms',
    `--server-data-dir=${dataDir}`,
    `--extensions-dir=${extensionsDir}`,
    '--telemetry-level=off',
    // The user's shell profile does not matter here, and a slow machine would wait ten seconds for it without effect.
    '--force-disable-user-env',
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(trusted ? ['--disable-workspace-trust'] : []),
  ];
}

/**
 * Writes the user settings that do not exist yet. A server has two settings files, one for the user and one for the machine. A setting in
 * the wrong file applies only until the editor has read the extension's manifest.
 */
export function writeSettings(dataDir: string, userSettings: Readonly<Record<string, unknown>> = {}): void {
  const settings = { ...defaultSettings, ...userSettings };
  const ofMachine = Object.entries(settings).filter(([name]) => machineSettings.has(name));
  const ofUser = Object.entries(settings).filter(([name]) => !machineSettings.has(name));
  for (const [place, entries] of [
    ['User', ofUser],
    ['Machine', ofMachine],
  ] as const) {
    const folder = join(dataDir, 'data', place);
    const file = join(folder, 'settings.json');
    if (existsSync(file)) continue;
    mkdirSync(folder, { recursive: true });
    writeFileSync(file, `${JSON.stringify(Object.fromEntries(entries), undefined, 2)}\n`);
  }
}

/** Returns the port that the server reports; undefined if the server ends or reports nothing. */
function listeningPort(group: ProcessGroup, keep: (text: string) => void): Promise<number | undefined> {
  let seen = '';
  const timer = new AbortController();
  const announced = new Promise<number | undefined>((resolve) => {
    for (const stream of [group.child.stdout, group.child.stderr]) {
      stream?.setEncoding('utf8').on('data', (text: string) => {
        keep(text);
        seen += text;
        const port = /Extension host agent listening on (\d+)/.exec(seen)?.[1];
        if (port !== undefined) resolve(Number(port));
        // On this error the server keeps running without listening.
        else if (seen.includes('EADDRINUSE')) resolve(undefined);
      });
    }
  });
  const ended = group.exited.then(() => undefined);
  const silent = delay(startMs, undefined, { signal: timer.signal });
  silent.catch(() => {});
  return Promise.race([announced, ended, silent]).finally(() => timer.abort());
}

function fail(output: string, port = 0): never {
  if (/EADDRINUSE/.test(output)) {
    throw new UserError(`Port ${port} is in use: stop what listens there, or choose another with --port.`);
  }
  throw new UserError(
    `The editor server did not start. It said: ${output.trim().replaceAll('\n', ' · ') || 'nothing'}`,
  );
}
