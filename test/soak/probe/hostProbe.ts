import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packExtension } from '../../support/extensions/packExtension.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { until } from '../../support/until.ts';
import type { HostState } from './hostState.ts';

/** Provides the probe: an extension to install next to the product, and connections to its running instances. */
export class HostProbes {
  readonly #folder: string;
  readonly #known = new Set<string>();

  /** @param folder absolute path of a temporary folder. */
  constructor(folder: string) {
    this.#folder = join(folder, 'probes');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** Environment variables for the editor. */
  get env(): Readonly<Record<string, string>> {
    return { SOAK_PROBES: this.#folder };
  }

  /** Packs the extension. @returns the path of the VSIX. */
  async pack(): Promise<string> {
    const { outputFiles } = await build({
      entryPoints: [join(repositoryRoot, 'test/soak/probe/probe.ts')],
      bundle: true,
      platform: 'node',
      format: 'esm',
      target: 'node22',
      external: ['vscode'],
      write: false,
    });
    const code = outputFiles.map(({ text }) => text).join('');
    return packExtension(join(this.#folder, '..'), { name: 'probe', manifest: { activationEvents: ['*'] }, code });
  }

  /** Waits for the probe of a newly opened window. */
  async next(): Promise<HostProbe> {
    const pid = await until('the probe of a new window', () =>
      readdirSync(this.#folder).find((name) => !this.#known.has(name)),
    );
    this.#known.add(pid);
    const port = await until('the port of a probe', () => readFileSync(join(this.#folder, pid), 'utf8') || undefined);
    return new HostProbe(`http://127.0.0.1:${port}`);
  }
}

/** A client of the probe that runs in one window's extension host. */
export class HostProbe {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** Returns the host's state after garbage collection. */
  async state(): Promise<HostState> {
    return (await this.#ask('/state')) as HostState;
  }

  /** Returns a setting's value in the window. */
  async get(name: string): Promise<unknown> {
    return this.#ask('/read', name);
  }

  /** Writes a setting where it has a value, in the folder or else the user settings, and returns the resulting value. */
  async set(name: string, value: unknown): Promise<unknown> {
    return this.#ask('/setting', { name, value });
  }

  /** Writes a heap snapshot to a file, whose name must end in `.heapsnapshot`. Blocks the host meanwhile. */
  async snapshot(path: string): Promise<void> {
    await this.#ask('/snapshot', path);
  }

  async #ask(path: string, body: unknown = {}): Promise<unknown> {
    const headers = { connection: 'close' };
    const response = await fetch(this.#baseUrl + path, { method: 'POST', body: JSON.stringify(body), headers });
    if (!response.ok) throw new Error(`the probe: ${await response.text()}`);
    return response.json();
  }
}
