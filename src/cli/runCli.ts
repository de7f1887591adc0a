import { relative, sep } from 'node:path';
import schema from '../../media/schemas/request.schema.json' with { type: 'json' };
import { checkBaseUrl, checkHeaderName } from '../connections/common/connectionInput.ts';
import type { CheckedText } from '../base/checkedText.ts';
import { isJsonObject } from '../base/json/json.ts';
import { terminalJson, terminalLine, terminalLines } from '../base/outsideText.ts';
import type { RuleLevels } from '../language/check.ts';
import { formatPreview, submitPath } from '../connections/common/curl.ts';
import { nearestCode } from '../language/explainTopic.ts';
import type { LinkNeed } from '../language/request/finding.ts';
import type { SchemaCheck } from '../language/request/jsonFindings.ts';
import { findServiceKnowledge } from '../known/serviceKnowledge.ts';
import { formatAnnotations, formatSarifReport, formatTextReport, locateFindings } from '../language/report.ts';
import type { RequestFile } from '../language/request/requestFile.ts';
import { createRequestLanguage, type RequestLanguage } from '../language/requestLanguage.ts';
import { formatJsonReport, type InspectedRequest } from '../language/requestReport.ts';
import { cliHelp, parseCliArguments, programName, type CliOptions } from './cliArguments.ts';
import { fixSource } from './fixSource.ts';
import { findSources, readSource, readStandardInput, SourceError, standardInput } from './requestSources.ts';
import { readLevels } from './ruleSettings.ts';

/** Environment of a run. */
export interface CliDeps {
  /** Base folder of relative names. */
  readonly folder: string;
  readonly version: string;
  readonly check: SchemaCheck;
  readonly now: () => number;
  readonly out: Output;
  readonly complaints: Output;
  /** True if people read the output, not a program. A build service does not decide that: its scripts use files and pipes, too. */
  readonly isTerminal: boolean;
}

interface Output {
  write(text: string): unknown;
}

/** 0: success. 1: problems found. 2: the command failed. */
export type ExitCode = 0 | 1 | 2;

/** Runs a command line. @param given arguments without the program and the script */
export async function runCli(given: readonly string[], deps: CliDeps): Promise<ExitCode> {
  const { out } = deps;
  const options = parseCliArguments(given);
  switch (options.type) {
    case 'help':
      out.write(cliHelp);
      return 0;
    case 'version':
      out.write(`${deps.version}\n`);
      return 0;
    case 'badUse':
      return complain(options.problem, deps);
    case 'run':
      break;
  }
  try {
    return await runCommand(options, deps);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    return complain(error.message, deps);
  }
}

async function runCommand(options: CliOptions, deps: CliDeps): Promise<ExitCode> {
  switch (options.command) {
    case 'check':
      return checkFiles(options, deps);
    case 'fix':
      return fixFiles(options, deps);
    case 'explain':
      return explainRule(options, deps);
    case 'effect': {
      const language = languageOf(options, deps);
      return forEachFile(options, deps, ({ name, request }) => {
        const effect = language.effect(request);
        if (effect.length === 0) throw new SourceError(`${name} holds no request; check says why`);
        for (const { text } of effect) deps.out.write(`${terminalLine(`${name}: ${text}`)}\n`);
        sendableBody(name, request, deps);
      });
    }
    case 'preview':
      return previewFiles(options, deps);
    case 'schema':
      deps.out.write(`${JSON.stringify(schema, undefined, 2)}\n`);
      return 0;
    case 'lsp': {
      // Imported here, so that the other commands do not load the server.
      const { serveRequests } = await import('../server/requestServer.ts');
      const levelsIn = (folder: string): RuleLevels => readLevels(folder, options).levels;
      await serveRequests({ ...deps, levelsIn, service: options.service, linkNeed: linkNeedOf(options) });
      return 0;
    }
  }
}

/** Returns the body that would be sent for a file. @throws SourceError if the editor would not send the request */
function sendableBody(name: string, { text, value }: RequestFile, { check, now }: CliDeps): string {
  // Neither the service nor the levels decide what is sent.
  const language = createRequestLanguage({ schema: check, now, knowledge: () => undefined });
  const gate = isJsonObject(value) ? language.gate(text) : undefined;
  if (gate?.type !== 'ok') throw new SourceError(`${name} would not be sent as it is; check says why`);
  return gate.body;
}

function previewFiles(options: CliOptions, deps: CliDeps): ExitCode {
  const { baseUrl, keyHeader } = options;
  const target = {
    url: `${baseUrl === undefined ? '<base URL>' : checked('--base-url', checkBaseUrl(baseUrl))}${submitPath}`,
    keyHeader: keyHeader === undefined ? 'x-service-key' : checked('--key-header', checkHeaderName(keyHeader)),
  };
  return forEachFile(options, deps, ({ name, request }) => {
    const body = terminalJson(sendableBody(name, request, deps));
    deps.out.write(`${formatPreview(target, body)}\n`);
  });
}

/** @throws SourceError if the value is invalid for a connection */
function checked(option: string, input: CheckedText): string {
  if (input.type === 'bad') throw new SourceError(`${option}: ${input.problem}`);
  return input.text;
}

function complain(problem: string, { complaints }: CliDeps): 2 {
  complaints.write(`${programName}: ${terminalLine(problem)}\n`);
  return 2;
}

/** A request file with its parsed text. */
interface ReadRequest {
  /** Undefined for standard input. */
  readonly path: string | undefined;
  /** Display path, with forward slashes. */
  readonly name: string;
  /** Exact text of the file, including a byte order mark. */
  readonly text: string;
  readonly request: RequestFile;
}

/** Visits the files that the operands match. Reports files that cannot be read and continues with the others. */
function forEachFile(options: CliOptions, deps: CliDeps, visit: (file: ReadRequest) => void): 0 | 2 {
  const { parse } = languageOf(options, deps);
  const { paths, problems } = findSources(options.operands, deps.folder);
  let code: 0 | 2 = 0;
  for (const problem of problems) code = complain(problem, deps);
  for (const path of paths) {
    try {
      visit(readFile(path, deps.folder, parse));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      code = complain(error.message, deps);
    }
  }
  return code;
}

function readFile(path: string, folder: string, parse: RequestLanguage['parse']): ReadRequest {
  const isInput = path === standardInput;
  const name = isInput ? 'stdin' : relative(folder, path).split(sep).join('/');
  const text = isInput ? readStandardInput() : readSource(path, name);
  return { path: isInput ? undefined : path, name, text, request: parse(text.replace(/^\uFEFF/u, '')) };
}

/** Creates the language for the given options. @param levels that override the rules' own severities */
function languageOf(options: CliOptions, deps: CliDeps, levels?: RuleLevels): RequestLanguage {
  const knowledge = findServiceKnowledge(options.service);
  return createRequestLanguage({
    schema: deps.check,
    now: deps.now,
    knowledge: () => knowledge,
    linkNeed: linkNeedOf(options),
    ...(levels && { rules: () => levels }),
  });
}

/** Creates the language with the levels of the settings. @throws SourceError if the rules file cannot be used */
function languageWithLevels(options: CliOptions, deps: CliDeps): RequestLanguage {
  const { levels, problems } = readLevels(deps.folder, options);
  // Report problems in the settings and continue, like the editor.
  for (const problem of problems) complain(problem, deps);
  return languageOf(options, deps, levels);
}

function linkNeedOf({ minLinkLifeMs }: CliOptions): () => LinkNeed | undefined {
  return () => (minLinkLifeMs === undefined ? undefined : { neededMs: minLinkLifeMs, isMeasured: false });
}

function checkFiles(options: CliOptions, deps: CliDeps): ExitCode {
  const language = languageWithLevels(options, deps);
  const knowledge = findServiceKnowledge(options.service);
  const count = { error: 0, warning: 0, info: 0, hint: 0 };
  // A report is a single document. Lines are written immediately, so that no request stays in memory.
  const isReport = options.format === 'sarif' || options.format === 'json';
  const inspected: InspectedRequest[] = [];
  const read = forEachFile(options, deps, ({ name, request }) => {
    const findings = language.check(request);
    for (const { severity } of findings) count[severity]++;
    const file: InspectedRequest = { name, request, findings, knowledge };
    if (isReport) inspected.push(file);
    else if (findings.length > 0) deps.out.write(formatFindings([file], options.format));
  });
  if (isReport) deps.out.write(formatFindings(inspected, options.format));
  if (read === 2) return 2;
  if (count.warning > options.maxWarnings) {
    deps.complaints.write(`${programName}: ${count.warning} warnings; at most ${options.maxWarnings} are allowed\n`);
  }
  return count.error > 0 || count.warning > options.maxWarnings ? 1 : 0;
}

function formatFindings(inspected: readonly InspectedRequest[], format: CliOptions['format']): string {
  if (format === 'json') return formatJsonReport(inspected);
  const located = inspected.map(({ name, request, findings }) => locateFindings(name, request, findings));
  switch (format) {
    case 'text':
      return formatTextReport(located);
    case 'sarif':
      return formatSarifReport(located);
    case 'github':
      return formatAnnotations(located);
  }
}

function fixFiles(options: CliOptions, deps: CliDeps): ExitCode {
  const language = languageWithLevels(options, deps);
  const count = { changed: 0, error: 0, warning: 0 };
  const read = forEachFile(options, deps, ({ path, name, text, request }) => {
    const { isChanged, left, output } = fixSource({ path, name, text, request }, language, options.isDryRun);
    if (isChanged) count.changed++;
    if (left !== undefined) count[left]++;
    writeExactly(name, output, deps);
  });
  const unsettled = count.error + count.warning;
  if (unsettled > 0) {
    const files = unsettled === 1 ? '1 file still has' : `${unsettled} files still have`;
    deps.complaints.write(`${programName}: ${files} problems; check lists them\n`);
  }
  if (read === 2) return 2;
  return count.error > 0 || (options.isDryRun && count.changed > 0) ? 1 : 0;
}

/** Writes output for programs. In a terminal, neutralizes control sequences and other disturbing characters, and reports that. */
function writeExactly(name: string, text: string, { out, complaints, isTerminal }: CliDeps): void {
  const shown = isTerminal ? terminalLines(text) : text;
  out.write(shown);
  if (shown === text) return;
  const note = `${name}: characters were altered for display; in a file or pipe the output is exact`;
  complaints.write(`${programName}: ${terminalLine(note)}\n`);
}

function explainRule(options: CliOptions, deps: CliDeps): ExitCode {
  const [code = ''] = options.operands;
  const text = languageOf(options, deps).explain(code);
  if (text === undefined) {
    return complain(`there is no rule ${code}; the nearest is ${nearestCode(code)}, and check names others`, deps);
  }
  deps.out.write(text);
  return 0;
}
