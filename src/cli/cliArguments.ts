import { parseArgs } from 'node:util';
import { dayMs, hourMs, minuteMs } from '../base/time.ts';
import { serviceChoices, type ServiceChoice } from '../known/knownService.ts';
import { nearestWord } from '../language/explainTopic.ts';
import { requestExtension } from '../language/requestGlob.ts';

const reportFormats = ['text', 'sarif', 'github', 'json'] as const;
type ReportFormat = (typeof reportFormats)[number];

/** Options of the command line. Options that a command does not accept are rejected, so the others have their defaults. */
export interface CliOptions {
  readonly command: CliCommand;
  /** Files, folders, globs, `!` and a glob to exclude, `-` for standard input, or the code of a rule. */
  readonly operands: readonly string[];
  readonly format: ReportFormat;
  /** File for the report; undefined for standard output. */
  readonly outputFile: string | undefined;
  /** True to report only errors, without a summary. */
  readonly isQuiet: boolean;
  /** Name of standard input in reports; undefined if not given. */
  readonly inputName: string | undefined;
  /** Undefined: in terminals, unless the environment forbids it. */
  readonly hasColor: boolean | undefined;
  /** True if `check` applies the safe fixes first. */
  readonly fixes: boolean;
  /** True if files that `.gitignore` excludes are left out of folders and globs. */
  readonly usesIgnoreFiles: boolean;
  readonly service: ServiceChoice;
  /** File with rule levels; undefined if not given. */
  readonly rulesFile: string | undefined;
  /** True if the rule levels in the workspace settings apply. */
  readonly usesSettings: boolean;
  /** Maximum number of warnings without failure. */
  readonly maxWarnings: number;
  /** Required lifetime of signed links; undefined if not checked. */
  readonly minLinkLifeMs: number | undefined;
  readonly isDryRun: boolean;
  /** Undefined if not given, like {@link keyHeader}. */
  readonly baseUrl: string | undefined;
  readonly keyHeader: string | undefined;
}

/** The parsed command line. */
export type CliArguments =
  | ({ readonly type: 'run' } & CliOptions)
  | { readonly type: 'help' }
  | { readonly type: 'version' }
  /** The command line is invalid; `problem` describes why and what to do. */
  | { readonly type: 'badUse'; readonly problem: string };

const options = {
  format: { type: 'string' },
  'output-file': { type: 'string', short: 'o' },
  quiet: { type: 'boolean', short: 'q' },
  'stdin-filename': { type: 'string' },
  color: { type: 'boolean' },
  'no-color': { type: 'boolean' },
  fix: { type: 'boolean' },
  'no-ignore': { type: 'boolean' },
  service: { type: 'string' },
  rules: { type: 'string' },
  'no-settings': { type: 'boolean' },
  'max-warnings': { type: 'string' },
  'min-link-life': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'base-url': { type: 'string' },
  'key-header': { type: 'string' },
  stdio: { type: 'boolean' },
  // Given by the clients of VS Code and coc.nvim, and read by the server's library.
  clientProcessId: { type: 'string' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean', short: 'V' },
} as const;

const levels = ['rules', 'no-settings'] as const;
const checking = [...levels, 'service', 'min-link-life'] as const;
const files = ['stdin-filename', 'no-ignore'] as const;
const always: readonly string[] = ['color', 'no-color'];

/** Options of each command. */
const taken = {
  check: [...checking, ...files, 'format', 'output-file', 'quiet', 'fix', 'max-warnings'],
  fix: [...checking, ...files, 'quiet', 'dry-run'],
  rules: levels,
  explain: [],
  effect: ['service', ...files],
  preview: ['base-url', 'key-header', ...files],
  schema: [],
  lsp: [...checking, 'stdio', 'clientProcessId'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof options)[]>>;

/** Commands of the program. */
type CliCommand = keyof typeof taken;

/** Name of the program, as in `bin`. */
export const programName = 'transcription-requests';

/** Text of `--help`. */
export const cliHelp = `usage: ${programName} COMMAND [OPTIONS] [FILES…]

  check    Shows problems in request files; with --fix it fixes first what is safe to fix
  fix      Fixes what is safe to fix; with --dry-run it only shows the changes
  rules    Lists the rules with their levels
  explain  Explains a rule: explain languages/duplicate
  effect   Says in plain words what a request will do
  preview  Shows a request as it would be sent, with the key masked
  schema   Prints the JSON schema of request files
  lsp      Runs a language server for editors: lsp --stdio
  help     Shows this text

FILES are files, folders, globs such as "jobs/**/*.transcription.json", or - for standard input; "!drafts/**" leaves files
out. Without any, check and fix take every *.transcription.json below the current folder. Folders and globs leave out
node_modules and what .gitignore excludes. In folders, names must be written in lower case, and symbolic links are not
followed; name such a file to have it checked. After --, nothing is an option.

check and fix:
  --service ${serviceChoices.join('|')}      Service whose names and limits are checked: gladia reports them with their severity,
                            auto as information, none not at all
  --rules FILE              JSON file that sets rules to off, hint, info or warning
  --no-settings             Don't read transcriptionJobs.rules from .vscode/settings.json of the repository
  --min-link-life 60m       Warn about signed links that expire sooner: s, m, h or d
  --no-ignore               Don't leave out what .gitignore excludes
  --stdin-filename NAME     Name of standard input in the report
  -q, --quiet               Show only errors and failures, without a summary
  --color, --no-color       By default in terminals; NO_COLOR and FORCE_COLOR are heeded
check:
  --fix                     Fix first what is safe to fix, then show what is left
  --format ${reportFormats.join('|')}
  -o, --output-file FILE    Write the report to a file
  --max-warnings N          Fail if there are more warnings
fix:
  --dry-run                 Show the changes as a diff without writing them
preview:
  --base-url URL, --key-header NAME   Where the request would go

  -h, --help   -V, --version

Exit codes: 0 success; 1 errors (for fix: errors left), too many warnings, or a dry run with changes; 2 invalid usage,
something that could not be read, checked or written, or for effect and preview a request that would not be sent.
`;

/**
 * Parses a command line. Never throws.
 * @param given arguments without the program and the script
 */
export function parseCliArguments(given: readonly string[]): CliArguments {
  let values: Values;
  let positionals: readonly string[];
  try {
    ({ values, positionals } = parseArgs({ args: [...given], options, allowPositionals: true }));
  } catch (error) {
    return refuse(error instanceof Error ? describeParseError(error.message) : String(error));
  }
  if (values.help === true) return { type: 'help' };
  if (values.version === true) return { type: 'version' };
  const [name, ...operands] = positionals;
  if (name === undefined) return refuse('no command; try --help');
  if (name === 'help') return { type: 'help' };
  if (!isCommand(name)) {
    return refuse(`unknown command ${name}; there are ${Object.keys(taken).join(', ')}`);
  }
  const allowed: readonly string[] = taken[name];
  const stray = Object.keys(values).find((option) => !allowed.includes(option) && !always.includes(option));
  if (stray !== undefined) return refuse(`${name} takes no --${stray}`);
  const wrong = operandProblem(name, operands, values) ?? valueProblem(operands, values);
  return wrong === undefined ? readOptions(name, operands, values) : refuse(wrong);
}

type Values = ReturnType<
  typeof parseArgs<{ readonly options: typeof options; readonly allowPositionals: true }>
>['values'];

function isCommand(name: string): name is CliCommand {
  return Object.hasOwn(taken, name);
}

/** Replaces the text of Node about an unknown option, which advises to write it as a file. */
function describeParseError(message: string): string {
  const [, option, name] = /^Unknown option '(--?([^']*))'/u.exec(message) ?? [];
  if (option === undefined || name === undefined) return message;
  return `unknown option ${option}; the nearest is --${nearestWord(name, Object.keys(options))}, and --help lists all`;
}

function refuse(problem: string): CliArguments {
  return { type: 'badUse', problem };
}

/** Describes why a command cannot use its operands; undefined if it can. */
function operandProblem(command: CliCommand, operands: readonly string[], values: Values): string | undefined {
  switch (command) {
    case 'check':
      return values.fix === true && operands.includes('-')
        ? 'check --fix writes files; use fix - for standard input'
        : undefined;
    case 'fix':
      return undefined;
    case 'rules':
      return operands.length === 0 ? undefined : 'rules takes no files; explain shows one rule';
    case 'explain':
      return operands.length === 1 ? undefined : 'explain needs the code of one rule, such as languages/duplicate';
    case 'effect':
    case 'preview':
      return operands.length === 0 ? `${command} needs a request file, or - for standard input` : undefined;
    case 'schema':
      return operands.length === 0 ? undefined : 'schema takes no files';
    case 'lsp':
      if (operands.length > 0) return 'lsp takes no files';
      return values.stdio === true
        ? undefined
        : 'the language server speaks over standard input and output: lsp --stdio';
  }
}

/** Describes why values of options cannot be used; undefined if they can. */
function valueProblem(operands: readonly string[], values: Values): string | undefined {
  // A file may be named like an option, and globs of shells pass such names as they are.
  for (const option of ['rules', 'output-file'] as const) {
    const value = values[option];
    if (value?.endsWith(requestExtension) !== true) continue;
    return `--${option} names a request file, ${value}; if a file has this name, write -- before the files`;
  }
  // An unset variable of a script must not stand for all files.
  if (operands.includes('')) return 'a file name is empty';
  const empty = Object.entries(values).find(([, value]) => value === '');
  if (empty !== undefined) return `--${empty[0]} is empty`;
  const isInput = operands.includes('-');
  return values['stdin-filename'] !== undefined && !isInput
    ? '--stdin-filename needs - among the files, for standard input'
    : undefined;
}

function readOptions(command: CliCommand, operands: readonly string[], values: Values): CliArguments {
  const format = reportFormats.find((each) => each === (values.format ?? 'text'));
  if (!format) return refuse(`unknown format ${values.format}; there are ${reportFormats.join(', ')}`);
  const service = serviceChoices.find((each) => each === (values.service ?? 'auto'));
  if (!service) return refuse(`unknown service ${values.service}; there are ${serviceChoices.join(', ')}`);
  const maxWarnings = countOf(values['max-warnings']);
  if (maxWarnings === undefined) return refuse('--max-warnings must be a whole number, 0 or more');
  const life = values['min-link-life'];
  const minLinkLifeMs = life === undefined ? undefined : durationMs(life);
  if (life !== undefined && minLinkLifeMs === undefined) {
    return refuse(`unknown min-link-life ${life}; write it as 90s, 60m, 2h or 7d`);
  }
  return {
    type: 'run',
    command,
    operands,
    format,
    outputFile: values['output-file'],
    isQuiet: values.quiet === true,
    inputName: values['stdin-filename'],
    hasColor: values['no-color'] === true ? false : values.color,
    fixes: values.fix === true,
    usesIgnoreFiles: values['no-ignore'] !== true,
    service,
    rulesFile: values.rules,
    usesSettings: values['no-settings'] !== true,
    maxWarnings,
    minLinkLifeMs,
    isDryRun: values['dry-run'] === true,
    baseUrl: values['base-url'],
    keyHeader: values['key-header'],
  };
}

function countOf(written: string | undefined): number | undefined {
  if (written === undefined) return Infinity;
  return /^\d{1,9}$/u.test(written) ? Number(written) : undefined;
}

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: minuteMs, h: hourMs, d: dayMs };

/** Converts a duration such as `90s`, `60m`, `2h` or `7d` to milliseconds; undefined for other texts. */
function durationMs(written: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(written) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitsMs[unit] ?? NaN);
}
