/** Common properties of a test report from the extension host, for any outcome. */
interface HostTest {
  readonly kind: 'test';
  readonly title: string;
  readonly ms: number;
  /** The bundled file, absolute. */
  readonly file: string;
}

/** A report of the tests in the extension host. */
export type HostTestEvent =
  | (HostTest & { readonly outcome: 'passed' | 'skipped' })
  | (HostTest & { readonly outcome: 'failed'; readonly error: string })
  | { readonly kind: 'end' };

/** The environment variable with the settings of a run in the extension host, as JSON. */
export const hostTestVariable = 'TRANSCRIPTION_HOST_TESTS';

/** Value of {@link hostTestVariable}. */
export interface HostTestSettings {
  readonly filter?: string;
}

const marker = '@host-test ';

/** Encodes an event as a line of the host's console. */
export function hostTestLine(event: HostTestEvent): string {
  return `${marker}${JSON.stringify(event)}`;
}

/** Decodes an event from a line of the host's console; undefined for any other line. */
export function readHostTestLine(line: string): HostTestEvent | undefined {
  return line.startsWith(marker) ? (JSON.parse(line.slice(marker.length)) as HostTestEvent) : undefined;
}
