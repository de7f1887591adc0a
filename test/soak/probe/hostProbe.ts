import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { packExtension } from '../../support/extensions/packExtension.ts';
import { repositoryRoot } from '../../support/editor/repositoryRoot.ts';
import { until } from '../../support/until.ts';
import type { HostState } from './hostState.ts';

/** Makes probes: an extension to install beside the product, and the way to those that run. */
export class HostProbes {
  readonly #folder: string;
  readonly #known = new Set<string>();

  /** @param folder absolute path of a temporary folder. */
  constructor(folder: string) {
    this.#folder = join(folder, 'probes');
    mkdirSync(this.#folder, { recursive: true });
  }

  /** For the environment of the editor. */
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

  /** The probe of the window that was opened last. */
  async next(): Promise<HostProbe> {
    const pid = await until('the probe of a new window', () =>
      readdirSync(this.#folder).find((name) => !this.#known.has(name)),
    );
    this.#known.add(pid);
    const port = await until('the port of a probe', () => readFileSync(join(this.#folder, pid), 'utf8') || undefined);
    return new HostProbe(`http://127.0.0.1:${port}`);
  }
}

/** What runs in the extension host of one window and tells about it. */
export class HostProbe {
  readonly #baseUrl: string;

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl;
  }

  /** What the host holds now, after a collection of garbage. */
  async state(): Promise<HostState> {
    return (await this.#ask('/state')) as HostState;
  }

  /** Changes a user setting in the window; gives what it then is. */
  async set(name: string, value: unknown): Promise<unknown> {
    return this.#ask('/setting', { name, value });
  }

  async #ask(path: string, body: unknown = {}): Promise<unknown> {
    const headers = { connection: 'close' };
    const response = await fetch(this.#baseUrl + path, { method: 'POST', body: JSON.stringify(body), headers });
    if (!response.ok) throw new Error(`the probe: ${await response.text()}`);
    return response.json();
  }
}
