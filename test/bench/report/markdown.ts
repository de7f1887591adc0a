import { isReached, type Fact, type Outcome } from '../outcome.ts';
import type { BenchReport } from './benchReport.ts';

/** Formats the report for people: first the ratios, then the numbers behind them, then the reasons for missed goals. */
export function markdown({ date, machine, quick, seconds, rows, anew = [] }: BenchReport): string {
  const outcomes = rows.flatMap((row) => row.outcomes);
  const missed = outcomes.filter((outcome) => !isReached(outcome));
  const limits = missed.flatMap(({ title, limit }) => (limit === undefined ? [] : [`**${title}.** ${limit}`]));
  const lines = [
    '# What the bench measured',
    '',
    `${date.slice(0, 10)}, ${machine.processor}, ${machine.cores} cores, ${machine.memoryGb} GB, ${machine.system}, Node ${machine.node}. ` +
      `Made by \`npm run bench${quick ? ' -- --quick' : ''}\` in ${Math.round(seconds / 6) / 10} minutes.` +
      (anew.length > 0 ? ` Run again after the others: ${anew.join(', ')}.` : '') +
      (quick ? ' Few and small runs: not for the record.' : ''),
    '',
    '| Row | Result | To reach | Reached | Measured |',
    '| --- | ---: | ---: | :---: | --- |',
    ...outcomes.map(resultLine),
    ...rows.flatMap(({ row, failure }) =>
      failure === undefined ? [] : [`| ${row} | **failed** | | no | ${cell(failure)} |`],
    ),
    '',
    ...(limits.length === 0 ? [] : ['## What the limits are made of', '', ...limits.flatMap((limit) => [limit, ''])]),
    '## Numbers behind the ratios',
    '',
    'Medians of the runs, with the lowest and the highest. Where runs alternate, a ratio is the median of the ratios of each round, in which both met the same machine.',
    '',
    '| Row | What | Median | Runs | Lowest to highest |',
    '| --- | --- | ---: | ---: | ---: |',
    ...outcomes.flatMap(({ title, facts }) => facts.map((fact) => factLine(title, fact))),
  ];
  return `${lines.join('\n')}\n`;
}

function resultLine(outcome: Outcome): string {
  const { title, measured, value, unit, atMost } = outcome;
  const reached = isReached(outcome) ? 'yes' : '**no**';
  return `| ${title} | ${quantity(value, unit)} | ≤ ${quantity(atMost, unit)} | ${reached} | ${cell(measured)} |`;
}

function factLine(title: string, { what, value, unit, runs }: Fact): string {
  const range =
    runs === undefined ? '' : `${quantity(Math.min(...runs), unit)} to ${quantity(Math.max(...runs), unit)}`;
  return `| ${title} | ${cell(what)} | ${quantity(value, unit)} | ${runs?.length ?? 1} | ${range} |`;
}

/** Formats three significant digits; the measurements are not more precise. */
function quantity(value: number, unit: Outcome['unit']): string {
  const digits = Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return `${value.toFixed(digits)} ${unit}`;
}

function cell(text: string): string {
  return text.replaceAll(/\s+/g, ' ').replaceAll('|', '\\|').trim();
}
