import { styleText } from 'node:util';
import type { Severity } from '../language/request/finding.ts';
import { formatTextReport, locateFindings } from '../language/report.ts';
import type { Reporter } from './reporter.ts';

/** Creates the reporter of the format `text`: one line per finding, which the problem matcher reads. */
export function createTextReporter(hasColor: boolean): Reporter {
  return {
    add: ({ name, request, findings }) => {
      const located = locateFindings(name, request, findings);
      if (!hasColor) return formatTextReport([located]);
      return located.findings
        .map((each) => addColor(formatTextReport([{ ...located, findings: [each] }]), each.finding))
        .join('');
    },
    end: () => '',
  };
}

const colors = { error: 'red', warning: 'yellow', info: 'blue', hint: 'gray' } as const satisfies Record<
  Severity,
  string
>;

/** Colors a formatted line, whose text from outside has already passed the gate. */
function addColor(line: string, { severity, code }: { readonly severity: Severity; readonly code: string }): string {
  const always = { validateStream: false };
  const ending = ` [${code}]\n`;
  return line
    .replace(`: ${severity}: `, () => `: ${styleText(colors[severity], severity, always)}: `)
    .replace(ending, () => `${styleText('gray', ending.trimEnd(), always)}\n`);
}

/** The part of the environment that decides about colors. */
interface ColorChoice {
  /** Option of the command line; undefined if not given. */
  readonly hasColor: boolean | undefined;
  readonly isTerminal: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** Decides whether to color output: the option, else `FORCE_COLOR`, else `NO_COLOR`, else in terminals. */
export function usesColor({ hasColor, isTerminal, env }: ColorChoice): boolean {
  if (hasColor !== undefined) return hasColor;
  const forced = env['FORCE_COLOR'];
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTerminal && (env['NO_COLOR'] ?? '') === '' && env['TERM'] !== 'dumb';
}
