import { originOf } from '../../domain/connection/connectionInput.ts';
import type { Connection } from '../../service/ports.ts';

/** Questions that are remembered; one that nobody answers leaves nothing else behind. */
const mostQuestions = 100;

/**
 * Which connection the question about each submission named. The editor asks, and hands over later what was confirmed, by its
 * input alone; meanwhile another connection may have been chosen.
 */
export class AskedConnections {
  readonly #asked: { readonly input: string; readonly service: string | undefined }[] = [];

  /** @param connection what the question names; undefined when there was none. */
  note(input: unknown, connection: Connection | undefined): void {
    this.#asked.push({ input: JSON.stringify(input), service: connection && serviceOf(connection) });
    if (this.#asked.length > mostQuestions) this.#asked.shift();
  }

  /** Takes the questions about an input off the list. What it gives tells whether a connection is the one that all of them named. */
  take(input: unknown): (connection: Connection) => boolean {
    const key = JSON.stringify(input);
    const named = this.#asked.filter((each) => each.input === key).map(({ service }) => service);
    const left = this.#asked.filter((each) => each.input !== key);
    this.#asked.splice(0, this.#asked.length, ...left);
    return (connection) => named.length > 0 && named.every((service) => service === serviceOf(connection));
  }
}

function serviceOf({ name, baseUrl }: Connection): string {
  return `${originOf(baseUrl)} ${name}`;
}
