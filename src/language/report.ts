import type { Finding, Severity } from './request/finding.ts';
import { LineIndex, type LinePosition } from './json/lineIndex.ts';
import { placeRange, type Place, type RequestFile } from './request/requestFile.ts';
import type { JsonObject, JsonValue } from '../base/json/json.ts';
import { annotationProperty, annotationText, oneLine, sarifText, terminalLine } from '../base/outsideText.ts';
import { ruleCatalog } from './check.ts';
import { schemaCodes, syntaxCodes } from './request/jsonFindings.ts';

/** Findings of one file, with lines and columns. */
export interface CheckedFile {
  /** Display path, with forward slashes. */
  readonly name: string;
  readonly findings: readonly LocatedFinding[];
}

interface LocatedFinding extends Span {
  readonly finding: Finding;
  readonly related: readonly (Span & { readonly message: string })[];
}

/** Begin and exclusive end. */
interface Span {
  readonly begin: LinePosition;
  readonly end: LinePosition;
}

/** Converts the places of findings to lines and columns. */
export function locateFindings(name: string, request: RequestFile, findings: readonly Finding[]): CheckedFile {
  const lines = new LineIndex(request.text);
  const span = (place: Place): Span => {
    const { offset, length } = placeRange(request, place);
    return { begin: lines.positionAt(offset), end: lines.positionAt(offset + length) };
  };
  return {
    name,
    findings: findings.map((finding) => ({
      finding,
      ...span(finding.place),
      related: (finding.related ?? []).map(({ place, message }) => ({ ...span(place), message })),
    })),
  };
}

/** Formats the findings as SARIF 2.1.0. File names are relative to the source root. */
export function formatSarifReport(files: readonly CheckedFile[]): string {
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
    message: { text: sarifText(finding.message) },
    locations: [locationOf(name, begin, end)],
    ...(related.length > 0 && {
      relatedLocations: related.map((place) => ({
        ...locationOf(name, place.begin, place.end),
        message: { text: sarifText(place.message) },
      })),
    }),
  };
}

function locationOf(name: string, begin: LinePosition, end: LinePosition): { readonly [key: string]: JsonValue } {
  return {
    physicalLocation: {
      artifactLocation: {
        uri: name
          .replaceAll(/\p{Surrogate}/gu, '\ufffd')
          .split('/')
          .map(encodeURIComponent)
          .join('/'),
        uriBaseId: '%SRCROOT%',
      },
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

/** Formats one line per finding, `file:line:column: severity: message [code]`, for the problem matcher `$transcription`. */
export function formatTextReport(files: readonly CheckedFile[]): string {
  return files
    .flatMap(({ name, findings }) =>
      findings.map(
        ({ finding: { severity, message, code }, begin }) =>
          `${terminalLine(`${oneLine(name, 1000)}:${begin.line}:${begin.column}: ${severity}: ${message} [${code}]`)}\n`,
      ),
    )
    .join('');
}

/** Formats one workflow command per finding for GitHub's runner, which shows the finding at its line. */
export function formatAnnotations(files: readonly CheckedFile[]): string {
  return files
    .flatMap(({ name, findings }) =>
      findings.map(({ finding: { severity, message, code }, begin, end }) => {
        const level = levelOf(severity) === 'note' ? 'notice' : levelOf(severity);
        const place = `line=${begin.line},col=${begin.column},endLine=${end.line},endColumn=${end.column}`;
        const properties = `file=${annotationProperty(name)},${place},title=${annotationProperty(code)}`;
        return `::${level} ${properties}::${annotationText(message)}\n`;
      }),
    )
    .join('');
}
