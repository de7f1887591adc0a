import { parseArgs } from 'node:util';
import { UsageError } from '../run/runMain.ts';

/** The arguments of `npm start`. */
export interface StartArguments {
  readonly help: boolean;
  /** Port of the editor server; 0: any free port. */
  readonly port: number;
  /** Number of jobs in the sample service; undefined: its default. */
  readonly jobs?: number;
  /** Makes one customer's sample jobs fail with the same error code. */
  readonly incident: boolean;
  /** Use the installed desktop editor instead of the browser. */
  readonly desktop: boolean;
}

export const startHelp = `Usage: npm start -- [options]

Builds and packages the extension, and starts an editor with it, with sample jobs and example request files.

  --port N    port of the editor server (any free one by default)
  --jobs N    how many sample jobs there are
  --incident  let one customer's sample jobs fail with one error code
  --desktop   use the desktop editor that is installed as "code"
  --help      show this`;

const maxJobs = 100_000;

/**
 * Parses the command line of `npm start`.
 * @throws UsageError for an unknown or out-of-range argument
 */
export function readStartArguments(args: readonly string[]): StartArguments {
  const { help, port, jobs, incident, desktop } = parse(args);
  const count = jobs === undefined ? undefined : wholeNumber('--jobs', jobs, 0, maxJobs);
  return {
    help,
    port: port === undefined ? 0 : wholeNumber('--port', port, 1, 65_535),
    incident,
    desktop,
    ...(count !== undefined && { jobs: count }),
  };
}

interface Options {
  readonly help: boolean;
  readonly port?: string | undefined;
  readonly jobs?: string | undefined;
  readonly incident: boolean;
  readonly desktop: boolean;
}

function parse(args: readonly string[]): Options {
  try {
    const options = {
      help: { type: 'boolean', default: false },
      port: { type: 'string' },
      jobs: { type: 'string' },
      incident: { type: 'boolean', default: false },
      desktop: { type: 'boolean', default: false },
    } as const;
    return parseArgs({ args: [...args], options }).values;
  } catch (error) {
    const [reason] = error instanceof Error ? error.message.split('. ') : [String(error)];
    throw new UsageError(`${reason ?? ''}; "npm start -- --help" lists what there is.`);
  }
}

function wholeNumber(name: string, text: string, min: number, max: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (value >= min && value <= max) return value;
  throw new UsageError(`${name} takes a whole number from ${min} to ${max}, not "${text}".`);
}
