import type { NonEmpty, Random } from '../../../src/sample/random.ts';
import type { Play } from '../../support/faults/faultServer.ts';
import {
  answer,
  garbage,
  largeBody,
  redirect,
  reset,
  silence,
  slowBody,
  stalledBody,
  truncatedGzip,
  wrongLength,
} from '../../support/faults/plays.ts';

/** The faults that the service may show for a while. None of them can be mistaken for a page. */
const faults: NonEmpty<readonly [name: string, play: Play]> = [
  ['500', answer(500, '{"message":"Internal error"}')],
  ['502', answer(502, '<html>Bad gateway</html>', { 'content-type': 'text/html' })],
  ['503', answer(503, '', { 'retry-after': '1' })],
  ['429', answer(429, '{"message":"Too many requests"}', { 'content-type': 'application/json', 'retry-after': '1' })],
  ['401', answer(401, '{"message":"The service key is not known"}')],
  ['404', answer(404, '{"message":"Not found"}')],
  ['a page that is no page', answer(200, '[]')],
  ['no JSON', answer(200, '<html>Sign in</html>')],
  ['redirect', redirect(302, ({ origin }) => `${origin}/elsewhere`)],
  ['reset before headers', reset()],
  ['reset in the body', reset(40)],
  ['silence', silence],
  ['stalled body', stalledBody],
  ['slow body', slowBody],
  ['garbage', garbage],
  ['truncated gzip', truncatedGzip],
  ['wrong length', wrongLength],
  ['33 MiB', largeBody(33)],
];
/** Bad periods are shorter than good ones, so that lists make progress. */
const badMs = { min: 500, max: 5_000 };
const goodMs = { min: 3_000, max: 12_000 };

/** Alternates good and bad periods of a service, driven by a stream of random choices. */
export class Weather {
  /** Number of requests that met each fault. */
  readonly counts = new Map<string, number>();
  readonly #random: Random;
  #fault: readonly [name: string, play: Play] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  start(): void {
    const { min, max } = this.#fault === undefined ? goodMs : badMs;
    this.#timer = setTimeout(
      () => {
        this.#fault = this.#fault === undefined ? this.#random.pick(faults) : undefined;
        this.start();
      },
      this.#random.integer(min, max),
    );
  }

  /** Ends all faults. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#fault = undefined;
  }

  /** Returns the fault for the current request; undefined: none. */
  play(): Play | undefined {
    if (this.#fault === undefined) return undefined;
    const [name, play] = this.#fault;
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
    return play;
  }
}
