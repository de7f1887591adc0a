import { readFile, stat } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { checkRequest } from '../domain/request/check.ts';
import { locateFindings, type CheckedFile, formatSarifReport, formatTextReport } from '../domain/request/report.ts';
import { terminalLine } from '../domain/outsideText.ts';
import { serviceChoices, type ServiceChoice } from '../domain/request/known/knownService.ts';
import type { LinkNeed } from '../domain/request/finding.ts';
import { findServiceKnowledge } from '../domain/request/known/serviceKnowledge.ts';
import { parseRequest } from '../domain/request/requestFile.ts';
import type { SchemaCheck } from '../domain/request/jsonFindings.ts';

/** Environment of a run. */
export interface LintDeps {
  /** Base of relative file names. */
  readonly folder: string;
  readonly check: SchemaCheck;
  /** Milliseconds since the epoch. */
  readonly nowMs: number;
  readonly out: Output;
  readonly complaints: Output;
}

interface Output {
  write(text: string): unknown;
}

const usage = `usage: lint.js [--format text|sarif] [--service ${serviceChoices.join('|')}] [--min-link-life 60m] FILES…\n`;

/**
 * Checks request files and writes the findings.
 * @param given the command line without the program and the script
 * @returns the exit code: 0 no errors, 1 errors, 2 invalid usage or a file that cannot be read
 */
export async function runLint(given: readonly string[], deps: LintDeps): Promise<0 | 1 | 2> {
  const { out, complaints } = deps;
  const asked = parseLintArguments(given);
  if (asked.type === 'help') {
    out.write(usage);
    return 0;
  }
  if (asked.type === 'badUse') {
    complaints.write(`lint.js: ${terminalLine(asked.problem)}\n${usage}`);
    return 2;
  }
  const checked: CheckedFile[] = [];
  let unreadable = false;
  for (const file of asked.files) {
    try {
      checked.push(await checkFile(file, asked, deps));
    } catch (error) {
      unreadable = true;
      complaints.write(`lint.js: ${terminalLine(error instanceof Error ? error.message : String(error))}\n`);
    }
  }
  out.write(asked.format === 'sarif' ? formatSarifReport(checked) : formatTextReport(checked));
  if (unreadable) return 2;
  return checked.some(({ findings }) => findings.some(({ finding }) => finding.severity === 'error')) ? 1 : 0;
}

/** Checking takes many times the memory of a file. */
const mostBytes = 10 * 1024 * 1024;

async function checkFile(
  file: string,
  { service, minLinkLifeMs }: LintOptions,
  { folder, check, nowMs }: LintDeps,
): Promise<CheckedFile> {
  const path = resolve(folder, file);
  const { size } = await stat(path);
  if (size > mostBytes) throw new Error(`${file} has more than ${mostBytes / 1024 / 1024} MB, which no request has`);
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/u, '');
  const request = parseRequest(text);
  const linkNeed = (): LinkNeed | undefined =>
    minLinkLifeMs === undefined ? undefined : { neededMs: minLinkLifeMs, isMeasured: false };
  const name = relative(folder, path).split(sep).join('/');
  return locateFindings(
    name,
    request,
    checkRequest(request, check, { nowMs, knowledge: findServiceKnowledge(service), linkNeed }),
  );
}

const lintFormats = ['text', 'sarif'] as const;
type LintFormat = (typeof lintFormats)[number];

/** What to check, and how. */
interface LintOptions {
  readonly format: LintFormat;
  readonly service: ServiceChoice;
  /** How long signed links must last; undefined when that is not wanted. */
  readonly minLinkLifeMs?: number;
  readonly files: readonly string[];
}

/** Options from the command line. */
export type LintArguments =
  | ({ readonly type: 'check' } & LintOptions)
  | { readonly type: 'help' }
  /** The command line is invalid; `problem` says why. */
  | { readonly type: 'badUse'; readonly problem: string };

/** @param given without the program and the script */
export function parseLintArguments(given: readonly string[]): LintArguments {
  const files: string[] = [];
  let format: LintFormat = 'text';
  let service: ServiceChoice = 'auto';
  let minLinkLifeMs: number | undefined;
  let onlyFiles = false;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? '';
    if (onlyFiles || !argument.startsWith('-')) files.push(argument);
    else if (argument === '--') onlyFiles = true;
    else if (argument === '--help' || argument === '-h') return { type: 'help' };
    else {
      const [, name, written] = /^--(format|service|min-link-life)(?:=(.*))?$/u.exec(argument) ?? [];
      if (name === undefined) return { type: 'badUse', problem: `unknown argument ${argument}` };
      const value = written ?? given[++index];
      if (value === undefined) return { type: 'badUse', problem: `${argument} wants a value` };
      const chosen = name === 'format' ? lintFormats.find((each) => each === value) : undefined;
      const named = name === 'service' ? serviceChoices.find((each) => each === value) : undefined;
      const life = name === 'min-link-life' ? durationMs(value) : undefined;
      if (chosen === undefined && named === undefined && life === undefined)
        return { type: 'badUse', problem: `unknown ${name} ${value}` };
      format = chosen ?? format;
      service = named ?? service;
      minLinkLifeMs = life ?? minLinkLifeMs;
    }
  }
  return files.length === 0
    ? { type: 'badUse', problem: 'no file was named' }
    : { type: 'check', format, service, files, ...(minLinkLifeMs !== undefined && { minLinkLifeMs }) };
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** A duration such as `90s`, `60m`, `2h` or `7d`; undefined for anything else. */
function durationMs(written: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(written) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitsMs[unit] ?? NaN);
}
