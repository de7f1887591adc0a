import { closeSync, fstatSync, mkdirSync, openSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, relative, resolve, sep } from 'node:path';
import schema from '../../media/schemas/request.schema.json' with { type: 'json' };
import { checkBaseUrl, checkHeaderName } from '../connections/common/connectionInput.ts';
import type { CheckedText } from '../base/checkedText.ts';
import { isJsonObject } from '../base/json/json.ts';
import { terminalJson, terminalLine, terminalLines } from '../base/outsideText.ts';
import type { RuleLevels } from '../language/check.ts';
import { formatPreview, submitPath } from '../connections/common/curl.ts';
import { nearestWord } from '../language/explainTopic.ts';
import type { Finding, LinkNeed } from '../language/request/finding.ts';
import type { SchemaCheck } from '../language/request/jsonFindings.ts';
import { findServiceKnowledge } from '../known/serviceKnowledge.ts';
import type { RequestFile } from '../language/request/requestFile.ts';
import { createRequestLanguage, type RequestLanguage } from '../language/requestLanguage.ts';
import { cliHelp, parseCliArguments, programName, type CliOptions } from './cliArguments.ts';
import { fixSource, formatDiff, writeFixed, type FixableSource } from './fixSource.ts';
import { createGithubReporter } from './githubReport.ts';
import { createJsonReporter } from './jsonReport.ts';
import { listRules } from './listedRules.ts';
import { readSource, readStandardInput, reasonOf, SourceError, withoutMark } from './readSource.ts';
import { describeLevels, type ExitCode, type LevelSource, type Reporter } from './reporter.ts';
import { findRepository } from './repository.ts';
import { findSources, standardInput } from './requestSources.ts';
import { readLevels, type ReadLevels } from './ruleSettings.ts';
import { createSarifReporter } from './sarifReport.ts';
import { describeChoosable, FindingCount, plural } from './summary.ts';
import { createTextReporter, usesColor } from './textReport.ts';

/** Environment of a run. */
export interface CliDeps {
  /** Base folder of relative names. */
  readonly folder: string;
  readonly version: string;
  readonly check: SchemaCheck;
  readonly now: () => number;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: Output;
  readonly complaints: Output;
  /** True if people read the output, not a program. A build service does not decide that: its scripts use files and pipes, too. */
  readonly isTerminal: boolean;
}

interface Output {
  write(text: string): unknown;
}

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
    case 'rules':
      return showRules(options, deps);
    case 'explain':
      return explainRule(options, deps);
    case 'effect': {
      const language = languageOf(options, deps);
      return exitCodeOf(
        forEachFile(options, deps, ({ name, request }) => {
          const effect = language.effect(request);
          if (effect.length === 0) throw new SourceError(`${name} holds no request; check says why`);
          for (const { text } of effect) deps.out.write(`${terminalLine(`${name}: ${text}`)}\n`);
          sendableBody(name, request, deps);
        }),
      );
    }
    case 'preview':
      return previewFiles(options, deps);
    case 'schema':
      deps.out.write(`${JSON.stringify(schema, undefined, 2)}\n`);
      return 0;
    case 'lsp': {
      // Imported here, so that the other commands do not load the server.
      const { serveRequests } = await import('../server/requestServer.ts');
      // Relative to the current folder, like all files of the command line.
      const rulesFile = options.rulesFile === undefined ? undefined : resolve(deps.folder, options.rulesFile);
      const levelsIn = (folder: string): ReadLevels => readLevels(folder, { ...options, rulesFile });
      await serveRequests({ ...deps, rulesFile, levelsIn, service: options.service, linkNeed: linkNeedOf(options) });
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
  return exitCodeOf(
    forEachFile(options, deps, ({ name, request }) => {
      const body = terminalJson(sendableBody(name, request, deps));
      deps.out.write(`${formatPreview(target, body)}\n`);
    }),
  );
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

/**
 * Visits the files that the operands match. Reports files that cannot be read or written and continues with the others.
 * @returns the sentences about them
 */
function forEachFile(options: CliOptions, deps: CliDeps, visit: (file: FixableSource) => void): readonly string[] {
  const { parse } = languageOf(options, deps);
  const { paths, problems } = findSources(options.operands, deps.folder, options.usesIgnoreFiles);
  const failures = [...problems];
  const nameOf = makeNamer(options, deps);
  for (const path of paths) {
    try {
      visit(readFile(path, nameOf, parse));
    } catch (error) {
      if (!(error instanceof SourceError)) throw error;
      failures.push(error.message);
    }
  }
  for (const failure of failures) complain(failure, deps);
  return failures;
}

function exitCodeOf(failures: readonly string[]): ExitCode {
  return failures.length > 0 ? 2 : 0;
}

/** Returns a function that returns the display path of a file or standard input. */
function makeNamer({ format, inputName = 'stdin' }: CliOptions, { folder }: CliDeps): (path: string) => string {
  // Code scanning and annotations know files by their names below the root of the repository.
  const isHosted = format === 'sarif' || format === 'github';
  const base = isHosted ? (findRepository(folder) ?? folder) : folder;
  return (path) =>
    relative(base, resolve(folder, path === standardInput ? inputName : path))
      .split(sep)
      .join('/');
}

function readFile(path: string, nameOf: (path: string) => string, parse: RequestLanguage['parse']): FixableSource {
  const isInput = path === standardInput;
  const name = nameOf(path);
  const text = isInput ? readStandardInput() : readSource(path, name);
  return { path: isInput ? undefined : path, name, text, request: parse(withoutMark(text)) };
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

/** Reads the levels in force and reports invalid settings and where the levels come from. @throws SourceError if the rules file cannot be used */
function readReportedLevels(options: CliOptions, deps: CliDeps): ReadLevels {
  const read = readLevels(deps.folder, options);
  // Report problems in the settings and continue, like the editor.
  for (const problem of read.problems) complain(problem, deps);
  if (!options.isQuiet) reportSources(read.sources, deps);
  return read;
}

function reportSources(sources: readonly LevelSource[], deps: CliDeps): void {
  for (const source of sources) complain(describeLevels(source), deps);
}

function linkNeedOf({ minLinkLifeMs }: CliOptions): () => LinkNeed | undefined {
  return () => (minLinkLifeMs === undefined ? undefined : { neededMs: minLinkLifeMs, isMeasured: false });
}

function checkFiles(options: CliOptions, deps: CliDeps): ExitCode {
  const reporter = createReporter(options, deps);
  const report = new ReportOutput(options.outputFile, deps);
  let read: ReadLevels;
  try {
    read = readReportedLevels(options, deps);
  } catch (error) {
    if (!(error instanceof SourceError)) throw error;
    // A report that says that nothing was checked, instead of none or an old one.
    report.finish(reporter.end({ exitCode: 2, failures: [error.message], notes: [], settings: [], omissions: [] }));
    throw error;
  }
  const language = languageOf(options, deps, read.levels);
  const count = new FindingCount();
  const omissions: string[] = [];
  const failures = forEachFile(options, deps, (source) => {
    let file = source;
    if (options.fixes) {
      file = fixSource(source, language);
      if (writeIfFixed(source, file)) count.fixed++;
    }
    const findings = language.check(file.request);
    count.add(findings);
    const wanted = options.isQuiet ? findings.filter(({ severity }) => severity === 'error') : findings;
    const shown = selectMostSevere(wanted);
    if (shown.length < wanted.length)
      omissions.push(`${file.name}: ${plural(wanted.length - shown.length, 'more finding')} left out`);
    report.write(reporter.add({ ...file, findings: shown }));
  });
  const isTooMany = count.warning > options.maxWarnings;
  const exitCode = failures.length > 0 ? 2 : count.error > 0 || isTooMany ? 1 : 0;
  report.finish(reporter.end({ exitCode, failures, notes: read.problems, settings: read.sources, omissions }));
  for (const omission of omissions) complain(omission, deps);
  if (isTooMany) {
    const allowed = `${plural(count.warning, 'warning')}; at most ${options.maxWarnings} are allowed`;
    complain(allowed, deps);
  }
  if (!options.isQuiet) complain(count.describe(failures.length), deps);
  return exitCode;
}

/** Maximum number of findings of a file that are reported: nobody reads more, and a file of 1 MB may have 300,000. */
const maxReported = 1000;

/** Returns as many findings as are reported, the most severe ones, in the given order. */
function selectMostSevere(findings: readonly Finding[]): readonly Finding[] {
  if (findings.length <= maxReported) return findings;
  const bySeverity = (['error', 'warning', 'info', 'hint'] as const).flatMap((each) =>
    findings.filter(({ severity }) => severity === each),
  );
  const reported = new Set(bySeverity.slice(0, maxReported));
  return findings.filter((each) => reported.has(each));
}

function createReporter(options: CliOptions, deps: CliDeps): Reporter {
  const { version, isTerminal, env } = deps;
  const { effect, explain } = languageOf(options, deps);
  switch (options.format) {
    case 'text': {
      const isShown = isTerminal && options.outputFile === undefined;
      return createTextReporter(usesColor({ hasColor: options.hasColor, isTerminal: isShown, env }));
    }
    case 'github':
      return createGithubReporter();
    case 'sarif':
      return createSarifReporter(version, explain);
    case 'json':
      return createJsonReporter(effect);
  }
}

/** Writes a report to the output at once, or to a file at the end. */
class ReportOutput {
  readonly #file: string | undefined;
  readonly #deps: CliDeps;
  #text = '';

  constructor(file: string | undefined, deps: CliDeps) {
    this.#file = file;
    this.#deps = deps;
  }

  write(text: string): void {
    if (this.#file === undefined) this.#deps.out.write(text);
    else this.#text += text;
  }

  /** @throws SourceError if the file cannot be written; then there is none */
  finish(text: string): void {
    this.write(text);
    if (this.#file === undefined) return;
    const path = resolve(this.#deps.folder, this.#file);
    try {
      mkdirSync(dirname(path), { recursive: true });
      writeWhole(path, this.#text);
    } catch (error) {
      throw new SourceError(`${this.#file} can't be written: ${reasonOf(error)}`);
    }
  }
}

/** Writes a file, and removes it if that fails: a part of a report would be taken for the whole. */
function writeWhole(path: string, text: string): void {
  const file = openSync(path, 'w');
  try {
    writeFileSync(file, text);
  } catch (error) {
    if (fstatSync(file).isFile()) rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
}

/** Writes a fixed file. @returns false if there was nothing to fix */
function writeIfFixed({ path, name, text }: FixableSource, fixed: FixableSource): boolean {
  if (fixed.text === text) return false;
  if (path !== undefined) writeFixed(path, name, text, fixed.text);
  return true;
}

function fixFiles(options: CliOptions, deps: CliDeps): ExitCode {
  const language = languageOf(options, deps, readReportedLevels(options, deps).levels);
  const count = { files: 0, changed: 0, error: 0, warning: 0, choosable: 0 };
  const failures = forEachFile(options, deps, (source) => {
    count.files++;
    const fixed = fixSource(source, language);
    const isChanged = options.isDryRun ? fixed.text !== source.text : writeIfFixed(source, fixed);
    if (isChanged) count.changed++;
    const findings = language.check(fixed.request);
    // All fixes that need no choice are applied.
    count.choosable += findings.filter(({ fixes = [] }) => fixes.length > 0).length;
    const left = (['error', 'warning'] as const).find((each) => findings.some(({ severity }) => severity === each));
    if (left !== undefined) count[left]++;
    const { name, text } = source;
    if (options.isDryRun) writeExactly(name, isChanged ? formatDiff(name, text, fixed.text) : '', deps);
    // The text of a filter, also if it is unchanged.
    else if (source.path === undefined) writeExactly(name, fixed.text, deps);
    else if (isChanged && !options.isQuiet) deps.out.write(`${terminalLine(`${name}: fixed`)}\n`);
  });
  const unsettled = count.error + count.warning;
  if (!options.isQuiet) {
    const done = options.isDryRun ? 'would be fixed' : 'fixed';
    const left = unsettled > 0 ? `; ${plural(unsettled, 'file')} left with problems, which check shows` : '';
    const choosable = count.choosable > 0 ? `; ${describeChoosable(count.choosable)}` : '';
    const missed = failures.length > 0 ? `; not everything was fixed (${plural(failures.length, 'failure')})` : '';
    complain(`${count.changed} of ${plural(count.files, 'file')} ${done}${left}${choosable}${missed}`, deps);
  }
  if (failures.length > 0) return 2;
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

function showRules(options: CliOptions, deps: CliDeps): ExitCode {
  const rules = listRules(readReportedLevels(options, deps).levels);
  const width = Math.max(...rules.map(({ code }) => code.length));
  for (const { code, level, text } of rules) {
    deps.out.write(`${code.padEnd(width)}  ${level.padEnd('warning'.length)}  ${text}\n`);
  }
  return 0;
}

function explainRule(options: CliOptions, deps: CliDeps): ExitCode {
  const [code = ''] = options.operands;
  const text = languageOf(options, deps).explain(code);
  if (text === undefined) {
    return complain(`there is no rule ${code}; the nearest is ${nearestWord(code)}, and rules lists all`, deps);
  }
  deps.out.write(text);
  return 0;
}
