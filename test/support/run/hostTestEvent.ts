/** What the tests inside the extension host report, one at a time. */
export type HostTestEvent =
  | { readonly kind: 'test'; readonly outcome: 'passed' | 'skipped'; readonly title: string; readonly ms: number }
  | {
      readonly kind: 'test';
      readonly outcome: 'failed';
      readonly title: string;
      readonly ms: number;
      readonly error: string;
    }
  | { readonly kind: 'end' };

/** Settings of a run inside the extension host, which come by the environment variable of this name, as JSON. */
export const hostTestVariable = 'TRANSCRIPTION_HOST_TESTS';

/** Value of {@link hostTestVariable}. */
export interface HostTestSettings {
  readonly filter?: string;
}

const marker = '@host-test ';

/** The line of the host's console that carries an event. */
export function hostTestLine(event: HostTestEvent): string {
  return `${marker}${JSON.stringify(event)}`;
}

/** The event in a line of the host's console; undefined for any other line. */
export function readHostTestLine(line: string): HostTestEvent | undefined {
  return line.startsWith(marker) ? (JSON.parse(line.slice(marker.length)) as HostTestEvent) : undefined;
}
