import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { runCli, type CliDeps } from '../../../src/cli/runCli.ts';
import { schemaErrors } from '../../unit/language/schemaCheck.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';

/** Runs command lines in a folder of their own, the root of a repository. */
export class CommandRunner {
  readonly folder: string;
  readonly remove: () => void;

  constructor() {
    const { path, remove } = temporaryFolder();
    this.folder = path;
    this.remove = remove;
  }

  /** Empties the folder. */
  reset(): void {
    rmSync(this.folder, { recursive: true, force: true });
    mkdirSync(join(this.folder, '.git'), { recursive: true });
  }

  /** Makes the folder an ordinary one. */
  removeRepository(): void {
    rmSync(join(this.folder, '.git'), { recursive: true });
  }

  /** Writes a file. @returns its path */
  put(name: string, text: string | Uint8Array): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  /** @returns the exit code and what was written */
  async run(given: readonly string[], changed: Partial<CliDeps> = {}) {
    let out = '';
    let complaints = '';
    const code = await runCli(given, {
      folder: this.folder,
      version: '1.2.3',
      check: schemaErrors,
      now: () => 0,
      env: {},
      out: { write: (text) => (out += text) },
      complaints: { write: (text) => (complaints += text) },
      isTerminal: false,
      ...changed,
    });
    return { code, out, complaints };
  }
}
