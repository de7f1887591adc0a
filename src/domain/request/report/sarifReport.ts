import type { JsonObject, JsonValue } from '../../json.ts';
import type { Severity } from '../finding.ts';
import type { LinePosition } from '../json/lineIndex.ts';
import { ruleCatalog } from '../rules/ruleCatalog.ts';
import { schemaCodes } from '../schemaFindings.ts';
import { syntaxCodes } from '../syntaxFindings.ts';
import type { CheckedFile, LocatedFinding } from './checkedFile.ts';

/** The findings as SARIF 2.1.0. File names are taken as relative to the root of the sources. */
export function sarifReport(files: readonly CheckedFile[]): string {
  const rules = describedRules();
  const indexOf = new Map(rules.map(({ id }, index) => [id, index]));
  const results = files.flatMap(({ name, findings }) =>
    findings.map((located) => resultOf(name, located, indexOf.get(located.finding.code) ?? -1)),
  );
  const report: JsonObject = {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'transcription-jobs', rules } }, columnKind: 'utf16CodeUnits', results }],
  };
  return `${JSON.stringify(report, undefined, 2)}\n`;
}

function describedRules(): readonly ({ readonly id: string } & JsonObject)[] {
  const builtIn = [...Object.values(syntaxCodes), ...Object.values(schemaCodes)].map((id) => ({ id }));
  const own = ruleCatalog.map(({ code, severity, explain }) => ({
    id: code,
    shortDescription: { text: explain() },
    defaultConfiguration: { level: levelOf(severity) },
  }));
  return [...builtIn, ...own];
}

function resultOf(name: string, { finding, begin, end, related }: LocatedFinding, ruleIndex: number): JsonObject {
  return {
    ruleId: finding.code,
    ruleIndex,
    level: levelOf(finding.severity),
    message: { text: finding.message },
    locations: [locationOf(name, begin, end)],
    ...(related.length > 0 && {
      relatedLocations: related.map((place) => ({
        ...locationOf(name, place.begin, place.end),
        message: { text: place.message },
      })),
    }),
  };
}

function locationOf(name: string, begin: LinePosition, end: LinePosition): { readonly [key: string]: JsonValue } {
  return {
    physicalLocation: {
      artifactLocation: { uri: name.split('/').map(encodeURIComponent).join('/'), uriBaseId: '%SRCROOT%' },
      region: { startLine: begin.line, startColumn: begin.column, endLine: end.line, endColumn: end.column },
    },
  };
}

function levelOf(severity: Severity): 'error' | 'warning' | 'note' {
  switch (severity) {
    case 'error':
    case 'warning':
      return severity;
    case 'info':
    case 'hint':
      return 'note';
  }
}
