import { parseArgs } from 'node:util';
import { serviceChoices, type ServiceChoice } from '../known/knownService.ts';

const reportFormats = ['text', 'sarif', 'github', 'json'] as const;
type ReportFormat = (typeof reportFormats)[number];

/** Options of the command line. Options that a command does not accept are rejected, so the others have their defaults. */
export interface CliOptions {
  readonly command: CliCommand;
  /** Files, folders, globs, `-` for standard input, or the code of a rule. */
  readonly operands: readonly string[];
  readonly format: ReportFormat;
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
  service: { type: 'string' },
  rules: { type: 'string' },
  'no-settings': { type: 'boolean' },
  'max-warnings': { type: 'string' },
  'min-link-life': { type: 'string' },
  'dry-run': { type: 'boolean' },
  'base-url': { type: 'string' },
  'key-header': { type: 'string' },
  stdio: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
  version: { type: 'boolean' },
} as const;

const checking = ['service', 'rules', 'no-settings', 'min-link-life'] as const;

/** Options of each command. */
const taken = {
  check: [...checking, 'format', 'max-warnings'],
  fix: [...checking, 'dry-run'],
  explain: [],
  effect: ['service'],
  preview: ['base-url', 'key-header'],
  schema: [],
  lsp: [...checking, 'stdio'],
} as const satisfies Readonly<Record<string, readonly (keyof typeof options)[]>>;

/** Commands of the program. */
type CliCommand = keyof typeof taken;

/** Name of the program, as in `bin`. */
export const programName = 'transcription-requests';

/** Text of `--help`. */
export const cliHelp = `usage: ${programName} COMMAND [OPTIONS] [FILES…]

  check    Shows problems in request files
  fix      Fixes what is safe to fix; with --dry-run it only shows the changes
  explain  Explains a rule: explain languages/duplicate
  effect   Says in plain words what a request will do
  preview  Shows a request as it would be sent, with the key masked
  schema   Prints the JSON schema of request files
  lsp      Runs a language server for editors: lsp --stdio

FILES are files, folders, globs such as "jobs/**/*.transcription.json", or - for standard input. Without any, check and
fix take every *.transcription.json below the current folder, except in node_modules. In folders, names must be written
in lower case, and symbolic links are not followed; name such a file to have it checked.

  --format ${reportFormats.join('|')}   Format of the report (check)
  --service ${serviceChoices.join('|')}      Service whose names and limits are checked
  --rules FILE                    JSON file that sets rules to off, hint, info or warning
  --no-settings                   Don't read transcriptionJobs.rules from .vscode/settings.json
  --max-warnings N                Fail if there are more warnings (check)
  --min-link-life 60m             Warn about signed links that expire sooner: s, m, h or d
  --dry-run                       Show the changes as a diff without writing them (fix)
  --base-url URL, --key-header NAME   Where the request would go (preview)

Exit codes: 0 success; 1 errors (for fix: errors left), too many warnings, or a dry run with changes; 2 invalid usage,
files that can't be read or written, or for effect and preview a request that would not be sent.
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
    return refuse(error instanceof Error ? error.message : String(error));
  }
  if (values.help === true) return { type: 'help' };
  if (values.version === true) return { type: 'version' };
  const [name, ...operands] = positionals;
  if (name === undefined) return refuse('no command; try --help');
  if (!isCommand(name)) {
    return refuse(`unknown command ${name}; there are ${Object.keys(taken).join(', ')}`);
  }
  const allowed: readonly string[] = taken[name];
  const stray = Object.keys(values).find((option) => !allowed.includes(option));
  if (stray !== undefined) return refuse(`${name} takes no --${stray}`);
  const wrong = operandProblem(name, operands, values);
  return wrong === undefined ? readOptions(name, operands, values) : refuse(wrong);
}

type Values = ReturnType<
  typeof parseArgs<{ readonly options: typeof options; readonly allowPositionals: true }>
>['values'];

function isCommand(name: string): name is CliCommand {
  return Object.hasOwn(taken, name);
}

function refuse(problem: string): CliArguments {
  return { type: 'badUse', problem };
}

/** Describes why a command cannot use its operands; undefined if it can. */
function operandProblem(command: CliCommand, operands: readonly string[], values: Values): string | undefined {
  switch (command) {
    case 'check':
    case 'fix':
      return undefined;
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

const unitsMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Converts a duration such as `90s`, `60m`, `2h` or `7d` to milliseconds; undefined for other texts. */
function durationMs(written: string): number | undefined {
  const [, amount, unit = ''] = /^(\d{1,6})([smhd])$/u.exec(written) ?? [];
  return amount === undefined ? undefined : Number(amount) * (unitsMs[unit] ?? NaN);
}
