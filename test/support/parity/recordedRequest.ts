/** A host's output for a request, in a form that all hosts can produce. Positions start at 0, and line breaks are LF. */
export interface RecordedRequest {
  /** Code, severity from 1 (error) to 4, range and message of each finding, in text order. */
  readonly findings: readonly string[];
  /** The title of each fix of a single finding, and the resulting text; sorted. */
  readonly fixes: readonly string[];
  /** The text after the fix on save. */
  readonly safe: string;
  readonly effect: readonly string[];
}

/** Requests by file name, as a host sees them. */
export type Recording = Readonly<Record<string, RecordedRequest>>;

/**
 * Formats a finding for recording.
 * @param place from line and character to line and character
 * @param severity from 1 (error) to 4
 */
export function recordFinding(code: string, severity: number, place: string, message: string): string {
  // Times are formatted for the reader in the editor, and as ISO 8601 for programs.
  const said = code === 'audio-url/expired' ? message.replace(/ on .+$/u, ' on …') : message;
  return `${code} ${severity} ${place} ${said}`;
}

/** Returns the names of requests for which two hosts differ, each with both recordings. */
export function differences(one: Recording, other: Recording): readonly object[] {
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names]
    .filter((name) => JSON.stringify(one[name]) !== JSON.stringify(other[name]))
    .map((name) => ({ name, one: one[name], other: other[name] }));
}
