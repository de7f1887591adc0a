import type { Random } from '../../../src/sample/random.ts';
import type { JobStatus } from '../../../src/jobs/common/job.ts';
import type { SampleService } from '../../../src/sample/sampleService.ts';

/** Twice the initial number of jobs; from then on as many leave as arrive, so that lists do not grow without limit. */
const maxAdded = 300;
const pauseMs = { min: 100, max: 600 };
const statuses: readonly [JobStatus, ...JobStatus[]] = ['queued', 'processing', 'done', 'error'];

/** Jobs arrive, change and leave while lists are read. */
export class Churn {
  readonly counts = { arrived: 0, changed: 0, left: 0 };
  readonly #sample: SampleService;
  readonly #random: Random;
  readonly #known: string[];
  #timer: NodeJS.Timeout | undefined;

  /** @param known ids of the existing jobs. */
  constructor(sample: SampleService, random: Random, known: readonly string[]) {
    this.#sample = sample;
    this.#random = random;
    this.#known = [...known];
  }

  start(): void {
    this.#timer = setTimeout(
      () => {
        this.#move();
        this.start();
      },
      this.#random.integer(pauseMs.min, pauseMs.max),
    );
  }

  stop(): void {
    clearTimeout(this.#timer);
  }

  #move(): void {
    const what = this.#random.next();
    if (what < 0.4) this.#arrive();
    else if (what < 0.7) this.#change();
    else this.#leave();
    while (this.counts.arrived - this.counts.left > maxAdded) this.#leave();
  }

  #arrive(): void {
    const kind = this.#random.chance(0.5) ? 'live' : 'pre-recorded';
    // With its request, a failed job can be resubmitted.
    const fields = { request_params: { audio_url: `https://audio.example/arrived-${this.counts.arrived}.mp3` } };
    this.#known.push(
      this.#sample.add({ kind, fails: this.#random.chance(0.2), ...(kind === 'pre-recorded' && { fields }) }),
    );
    this.counts.arrived++;
  }

  #change(): void {
    const id = this.#known[this.#random.integer(0, this.#known.length - 1)];
    if (id !== undefined) this.counts.changed += this.#sample.setStatus(id, this.#random.pick(statuses));
  }

  #leave(): void {
    const [id] = this.#known.splice(this.#random.integer(0, this.#known.length - 1), 1);
    if (id !== undefined) this.counts.left += this.#sample.remove(id);
  }
}
