import type { Log } from '../../src/base/log.ts';

/** A log that keeps its lines, each starting with the level, for tests to read. */
export class KeptLog implements Log {
  readonly lines: string[] = [];

  debug(line: string): void {
    this.lines.push(`debug ${line}`);
  }

  info(line: string): void {
    this.lines.push(`info ${line}`);
  }

  warn(line: string): void {
    this.lines.push(`warn ${line}`);
  }

  error(line: string): void {
    this.lines.push(`error ${line}`);
  }
}
