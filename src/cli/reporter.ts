import type { RuleLevels } from '../language/check.ts';
import type { Finding } from '../language/request/finding.ts';
import type { FixableSource } from './fixSource.ts';

/** A checked request file. */
export interface ReportedRequest extends FixableSource {
  readonly findings: readonly Finding[];
}

/** 0: success. 1: problems found. 2: the command failed, or something was not checked. */
export type ExitCode = 0 | 1 | 2;

/** What a report says about the run besides its findings. */
export interface RunFacts {
  readonly exitCode: ExitCode;
  /** Sentences about what could not be checked or written; if there are any, the report is incomplete. */
  readonly failures: readonly string[];
  /** Sentences about invalid entries in settings. */
  readonly notes: readonly string[];
  readonly settings: readonly LevelSource[];
  /** Sentences about findings that are counted but not reported. */
  readonly omissions: readonly string[];
}

/** A file that sets rule levels. Reports name it: their readers should know what was turned off. */
export interface LevelSource {
  /** Display path, with forward slashes. */
  readonly name: string;
  readonly levels: RuleLevels;
}

/** Formats a report. */
export interface Reporter {
  /** Adds a file. @returns the part of the report that can be written at once */
  add: (file: ReportedRequest) => string;
  /** Returns the rest of the report. */
  end: (run: RunFacts) => string;
}

/** Describes the rule levels that a file sets. */
export function describeLevels({ name, levels }: LevelSource): string {
  const each = [...levels].map(([code, level]) => `${code} ${level}`);
  return `rule levels from ${name}: ${each.join(', ')}`;
}
