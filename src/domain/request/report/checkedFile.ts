import type { Finding } from '../finding.ts';
import { LineIndex, type LinePosition } from '../json/lineIndex.ts';
import { placeRange, type Place, type RequestFile } from '../requestFile.ts';

/** What a check said of one file, with places for people. */
export interface CheckedFile {
  /** As the reader is to see it, with forward slashes. */
  readonly name: string;
  readonly findings: readonly LocatedFinding[];
}

export interface LocatedFinding extends Span {
  readonly finding: Finding;
  readonly related: readonly (Span & { readonly message: string })[];
}

/** From the first character to the one after the last. */
interface Span {
  readonly begin: LinePosition;
  readonly end: LinePosition;
}

/** Gives findings their lines. */
export function checkedFile(name: string, request: RequestFile, findings: readonly Finding[]): CheckedFile {
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
