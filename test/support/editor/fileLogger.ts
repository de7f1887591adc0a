// Replaces the editor's native logger, @vscode/spdlog, which would have to be compiled. Without it the extension host writes no log files,
// and log channels stay empty.
import { appendFileSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';

const levels = ['trace', 'debug', 'info', 'warning', 'error', 'critical'] as const;

export class Logger {
  readonly #file: string;
  #level = 2;
  #decorated = true;

  constructor(_type: string, _name: string, file: string) {
    this.#file = file;
  }

  readonly trace = (message: string): void => this.#write(0, message);
  readonly debug = (message: string): void => this.#write(1, message);
  readonly info = (message: string): void => this.#write(2, message);
  readonly warn = (message: string): void => this.#write(3, message);
  readonly error = (message: string): void => this.#write(4, message);
  readonly critical = (message: string): void => this.#write(5, message);

  getLevel(): number {
    return this.#level;
  }

  setLevel(level: number): void {
    this.#level = level;
  }

  setPattern(): void {
    this.#decorated = true;
  }

  clearFormatters(): void {
    this.#decorated = false;
  }

  flush(): void {}
  drop(): void {}

  #write(level: number, message: string): void {
    if (level < this.#level) return;
    const at = new Date().toISOString().replace('T', ' ').slice(0, -1);
    try {
      appendFileSync(this.#file, this.#decorated ? `${at} [${levels[level] ?? level}] ${message}\n` : message);
    } catch {
      // The data folder has gone: the editor is being stopped.
    }
  }
}

export async function createRotatingLogger(name: string, file: string): Promise<Logger> {
  mkdirSync(dirname(file), { recursive: true });
  return new Logger('rotating', name, file);
}

export const createAsyncRotatingLogger = createRotatingLogger;
export const version = 0;
export function setLevel(): void {}
export function setFlushOn(): void {}
