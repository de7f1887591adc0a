import { annotationProperty, annotationText } from '../base/outsideText.ts';
import type { Severity } from '../language/request/finding.ts';
import { locateFindings } from '../language/report.ts';
import { describeLevels, type Reporter } from './reporter.ts';

/** Creates the reporter of the format `github`: commands to GitHub's runner, which shows each finding at its line. */
export function createGithubReporter(): Reporter {
  return {
    add: ({ name, request, findings }) =>
      locateFindings(name, request, findings)
        .findings.map(({ finding: { severity, message, code }, begin, end }) => {
          const place = `line=${begin.line},col=${begin.column},endLine=${end.line},endColumn=${end.column}`;
          const properties = `file=${annotationProperty(name)},${place},title=${annotationProperty(code)}`;
          return `::${levelOf(severity)} ${properties}::${annotationText(message)}\n`;
        })
        .join(''),
    end: ({ failures, notes, settings, omissions }) =>
      [
        ...failures.map((failure) => `::error title=Not checked::${annotationText(failure)}\n`),
        ...omissions.map((omission) => `::warning title=Left out::${annotationText(omission)}\n`),
        ...notes.map((note) => `::warning title=Settings::${annotationText(note)}\n`),
        ...settings.map((source) => `::notice title=Settings::${annotationText(describeLevels(source))}\n`),
      ].join(''),
  };
}

function levelOf(severity: Severity): 'error' | 'warning' | 'notice' {
  return severity === 'error' || severity === 'warning' ? severity : 'notice';
}
