import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { JsonObject } from '../base/json/json.ts';
import { sarifText } from '../base/outsideText.ts';
import { locateFindings, type LocatedFinding } from '../language/report.ts';
import type { LinePosition } from '../language/json/lineIndex.ts';
import type { Severity } from '../language/request/finding.ts';
import type { RequestLanguage } from '../language/requestLanguage.ts';
import { programName } from './cliArguments.ts';
import { hashLines } from './lineHashes.ts';
import { listRules, type ListedRule } from './listedRules.ts';
import { describeLevels, type ReportedRequest, type Reporter, type RunFacts } from './reporter.ts';

// Limits of GitHub's code scanning, which rejects larger reports.
const maxResults = 25_000;
const maxRelated = 100;

const rules = listRules();

/** Creates the reporter of the format `sarif` (2.1.0). File names are relative to the root of the repository. */
export function createSarifReporter(version: string, explain: RequestLanguage['explain']): Reporter {
  const indexOf = new Map(rules.map(({ code }, index) => [code, index]));
  const results: { readonly severity: Severity; readonly result: JsonObject }[] = [];
  return {
    add: (file) => {
      const { findings } = locateFindings(file.name, file.request, file.findings);
      const hashes = findings.length === 0 ? [] : hashLines(file.text);
      for (const each of findings) {
        const ruleIndex = indexOf.get(each.finding.code) ?? -1;
        const result = { ...resultOf(file, each, hashes[each.begin.line - 1]), ruleIndex };
        results.push({ severity: each.finding.severity, result });
      }
      return '';
    },
    end: (run) => {
      const severe = ['error', 'warning', 'info', 'hint'] as const;
      const shown =
        results.length <= maxResults
          ? results
          : severe.flatMap((severity) => results.filter((each) => each.severity === severity)).slice(0, maxResults);
      const left = results.length - shown.length;
      const report: JsonObject = {
        $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
        version: '2.1.0',
        runs: [
          {
            tool: {
              driver: {
                name: programName,
                semanticVersion: version,
                rules: rules.map((rule) => describeRule(rule, explain(rule.code))),
              },
            },
            columnKind: 'utf16CodeUnits',
            invocations: [describeRun(run, left)],
            results: shown.map(({ result }) => result),
          },
        ],
      };
      return `${JSON.stringify(report, undefined, 2)}\n`;
    },
  };
}

function describeRule({ code, level, text }: ListedRule, markdown: string | undefined): JsonObject {
  const severity = level === 'off' ? 'hint' : level;
  return {
    id: code,
    shortDescription: { text },
    fullDescription: { text },
    help: { text, ...(markdown !== undefined && { markdown }) },
    defaultConfiguration: { level: levelOf(severity) },
    properties: {
      tags: ['transcription', code.split('/')[0] ?? code],
      'problem.severity': levelOf(severity) === 'note' ? 'recommendation' : levelOf(severity),
    },
  };
}

function describeRun({ exitCode, failures, notes, settings, omissions }: RunFacts, leftOut: number): JsonObject {
  const notify = (level: string) => (text: string) => ({ level, message: { text: sarifText(text) } });
  const limit = `${leftOut} more findings are left out: a report holds at most ${maxResults}`;
  return {
    // Code scanning closes the alerts that a successful run no longer reports.
    executionSuccessful: failures.length === 0,
    exitCode,
    toolExecutionNotifications: [
      ...failures.map(notify('error')),
      ...[...omissions, ...(leftOut > 0 ? [limit] : [])].map(notify('warning')),
    ],
    toolConfigurationNotifications: [
      ...notes.map(notify('warning')),
      ...settings.map(describeLevels).map(notify('note')),
    ],
  };
}

function resultOf(
  file: ReportedRequest,
  { finding, begin, end, related }: LocatedFinding,
  lineHash: string | undefined,
): JsonObject {
  return {
    ruleId: finding.code,
    level: levelOf(finding.severity),
    message: { text: sarifText(finding.message) },
    locations: [locationOf(file, begin, end)],
    ...(lineHash !== undefined && { partialFingerprints: { primaryLocationLineHash: lineHash } }),
    ...(related.length > 0 && {
      relatedLocations: related.slice(0, maxRelated).map((place) => ({
        ...locationOf(file, place.begin, place.end),
        message: { text: sarifText(place.message) },
      })),
    }),
  };
}

function locationOf(file: ReportedRequest, begin: LinePosition, end: LinePosition): JsonObject {
  return {
    physicalLocation: {
      artifactLocation: artifactOf(file),
      region: { startLine: begin.line, startColumn: begin.column, endLine: end.line, endColumn: end.column },
    },
  };
}

function artifactOf({ name, path }: ReportedRequest): JsonObject {
  // Files outside of the repository have no address below its root.
  if (path !== undefined && (name.startsWith('../') || isAbsolute(name))) return { uri: pathToFileURL(path).href };
  const uri = name
    .replaceAll(/\p{Surrogate}/gu, '\ufffd')
    .split('/')
    .map(encodeURIComponent)
    .join('/');
  return { uri, uriBaseId: '%SRCROOT%' };
}

function levelOf(severity: Severity): 'error' | 'warning' | 'note' {
  return severity === 'error' || severity === 'warning' ? severity : 'note';
}
