import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { checkRequest } from '../domain/request/check.ts';
import { locateFindings, type CheckedFile, formatSarifReport, formatTextReport } from '../domain/request/report.ts';
import { terminalLine } from '../domain/outsideText.ts';
import { serviceChoices, type ServiceChoice } from '../domain/request/known/knownService.ts';
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

const usage = `usage: lint.js [--format text|sarif] [--service ${serviceChoices.join('|')}] FILES…\n`;

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
      checked.push(await checkFile(file, asked.service, deps));
    } catch (error) {
      unreadable = true;
      complaints.write(`lint.js: ${terminalLine(error instanceof Error ? error.message : String(error))}\n`);
    }
  }
  out.write(asked.format === 'sarif' ? formatSarifReport(checked) : formatTextReport(checked));
  if (unreadable) return 2;
  return checked.some(({ findings }) => findings.some(({ finding }) => finding.severity === 'error')) ? 1 : 0;
}

async function checkFile(
  file: string,
  service: ServiceChoice,
  { folder, check, nowMs }: LintDeps,
): Promise<CheckedFile> {
  const path = resolve(folder, file);
  const text = (await readFile(path, 'utf8')).replace(/^\uFEFF/u, '');
  const request = parseRequest(text);
  const name = relative(folder, path).split(sep).join('/');
  return locateFindings(
    name,
    request,
    checkRequest(request, check, { nowMs, knowledge: findServiceKnowledge(service) }),
  );
}

const lintFormats = ['text', 'sarif'] as const;
type LintFormat = (typeof lintFormats)[number];

/** Options from the command line. */
export type LintArguments =
  | {
      readonly type: 'check';
      readonly format: LintFormat;
      readonly service: ServiceChoice;
      readonly files: readonly string[];
    }
  | { readonly type: 'help' }
  /** The command line is invalid; `problem` says why. */
  | { readonly type: 'badUse'; readonly problem: string };

/** @param given without the program and the script */
export function parseLintArguments(given: readonly string[]): LintArguments {
  const files: string[] = [];
  let format: LintFormat = 'text';
  let service: ServiceChoice = 'auto';
  let onlyFiles = false;
  for (let index = 0; index < given.length; index++) {
    const argument = given[index] ?? '';
    if (onlyFiles || !argument.startsWith('-')) files.push(argument);
    else if (argument === '--') onlyFiles = true;
    else if (argument === '--help' || argument === '-h') return { type: 'help' };
    else {
      const [, name, written] = /^--(format|service)(?:=(.*))?$/u.exec(argument) ?? [];
      if (name === undefined) return { type: 'badUse', problem: `unknown argument ${argument}` };
      const value = written ?? given[++index];
      if (value === undefined) return { type: 'badUse', problem: `${argument} wants a value` };
      const chosen = name === 'format' ? lintFormats.find((each) => each === value) : undefined;
      const named = name === 'service' ? serviceChoices.find((each) => each === value) : undefined;
      if (chosen === undefined && named === undefined) return { type: 'badUse', problem: `unknown ${name} ${value}` };
      format = chosen ?? format;
      service = named ?? service;
    }
  }
  return files.length === 0
    ? { type: 'badUse', problem: 'no file was named' }
    : { type: 'check', format, service, files };
}
