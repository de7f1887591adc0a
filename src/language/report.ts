import type { Finding } from './request/finding.ts';
import { LineIndex, type LinePosition } from './json/lineIndex.ts';
import { placeRange, type Place, type RequestFile } from './request/requestFile.ts';
import { oneLine, terminalLine } from '../base/outsideText.ts';

/** Findings of one file, with lines and columns. */
export interface CheckedFile {
  /** Display path, with forward slashes. */
  readonly name: string;
  readonly findings: readonly LocatedFinding[];
}

export interface LocatedFinding extends Span {
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
