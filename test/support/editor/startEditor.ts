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

/** What to start. */
export interface EditorOptions {
  /** Version of code-server; the newest known one by default. */
  readonly version?: string;
  /** Path of a VSIX that is installed before the start, or of several. */
  readonly extensionVsix?: string | readonly string[];
  /** A folder with extensions that are installed already, see `installExtensions`; by default one in the data folder. */
  readonly extensionsDir?: string;
  /** Names of the editor's own extensions that it is to have; by default all that it came with. */
  readonly builtinExtensions?: readonly string[];
  /** User settings, on top of those that keep a fresh editor quiet. */
  readonly userSettings?: Readonly<Record<string, unknown>>;
  /** Folder that {@link Editor.url} opens; none: an empty window. */
  readonly folder?: string;
  /** False: the folder opens in Restricted Mode until somebody trusts it. */
  readonly trusted?: boolean;
  /** True: tests may run inside the extension host, named by the URL's `payload`. The workbench then shows no notifications. */
  readonly testDriver?: boolean;
  /** 0: any free one. */
  readonly port?: number;
  /** Added to the environment of the server and so of the extension host. */
  readonly env?: Readonly<Record<string, string>>;
  /** A kept data folder, for tests of what survives a restart; by default a temporary one that goes with the editor. */
  readonly dataDir?: string;
}

/** A running editor server. */
export interface Editor {
  /** Opens the workbench on the folder asked for. */
  readonly url: string;
  readonly port: number;
  /** Holds `data/User/settings.json` and `data/logs/`. */
  readonly dataDir: string;
  /** Holds a folder for each extension that was installed. */
  readonly extensionsDir: string;
  /** What the server printed so far. */
  output(): string;
  /** Resolves when the server ends although nobody stopped it. */
  readonly crashed: Promise<void>;
  /** Stops the server with all its extension hosts and removes a temporary data folder. Safe to call again. */
  stop(): Promise<void>;
}

const startMs = 240_000;

/** Starts VS Code as a server on loopback and resolves when it listens. Throws a UserError that says why it could not. */
export async function startEditor(options: EditorOptions = {}): Promise<Editor> {
  const editor = await provisionEditor(options.version);
  const runDir = temporaryFolder();
  const dataDir = options.dataDir ?? join(runDir.path, 'data');
  // The server's sockets go where they are cleaned up; a runtime folder of the desktop session would take precedence.
  // Without a gallery nothing is asked of the network.
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
    writeSettings(dataDir, { ...defaultSettings, ...options.userSettings });
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
    const query = options.folder === undefined ? 'ew=true' : `folder=${encodeURIComponent(options.folder)}`;
    return {
      url: `http://127.0.0.1:${port}/?${query}`,
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

/** A folder with links to those of the editor's own extensions. */
function chooseBuiltin({ root }: ProvisionedEditor, names: readonly string[], parent: string): string {
  const folder = join(parent, 'builtin');
  mkdirSync(folder);
  // A junction needs no privilege on Windows; elsewhere it is a link like any other.
  for (const name of names) symlinkSync(join(root, 'extensions', name), join(folder, name), 'junction');
  return folder;
}

/** The settings of scope `machine`, by `package.json`. */
const machineSettings: ReadonlySet<string> = new Set(
  Object.entries(manifest.contributes.configuration.properties)
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
    // The person's shell profile is no part of what is started here, and a slow machine waits ten seconds for it in vain.
    '--force-disable-user-env',
    ...(testDriver ? ['--enable-smoke-test-driver'] : []),
    ...(trusted ? ['--disable-workspace-trust'] : []),
  ];
}

/**
 * A server keeps two files of user settings: one for what belongs to the user, one for what belongs to the machine.
 * What stands in the wrong one counts only until the editor has read the extension's manifest.
 */
function writeSettings(dataDir: string, settings: Readonly<Record<string, unknown>>): void {
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

/** The port once the server says that it listens; undefined when it ends, or stays silent, instead. */
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
        // The server stays where it is, listening to nothing.
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
