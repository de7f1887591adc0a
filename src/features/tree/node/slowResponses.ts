import type { Clock } from '../../../base/clock.ts';
import { DisposableOwner, type Disposable } from '../../../base/disposable.ts';
import { Emitter } from '../../../base/emitter.ts';
import { listId } from '../../../jobs/common/listKey.ts';
import type { JobStore } from '../../../jobs/node/store/jobStore.ts';

/** Time in milliseconds after which a response is slow. */
const slowAfterMs = 5000;

/** Observes whether the service takes long to respond to the requests for lists. Has a timer only while a list is busy. */
export class SlowResponses extends DisposableOwner {
  readonly onDidChange: Emitter<void>['event'];
  readonly #changed = this.own(new Emitter<void>());
  readonly #clock: Clock;
  /** Time of the request, by the ID of the list. */
  readonly #pending = new Map<string, number>();
  #isSlow = false;
  #timer: Disposable | undefined;

  constructor(store: Pick<JobStore, 'onDidChange' | 'list'>, clock: Clock) {
    super();
    this.onDidChange = this.#changed.event;
    this.#clock = clock;
    this.own(
      store.onDidChange((change) => {
        if (change.type === 'reset') this.#pending.clear();
        else {
          for (const key of change.lists) {
            const id = listId(key);
            if (store.list(key).activity === 'none') this.#pending.delete(id);
            else if (!this.#pending.has(id)) this.#pending.set(id, clock.now());
          }
        }
        this.#look();
      }),
    );
    this.own({ dispose: () => this.#timer?.dispose() });
  }

  /** True if a response has been pending for long. */
  get isSlow(): boolean {
    return this.#isSlow;
  }

  #look(): void {
    this.#timer?.dispose();
    this.#timer = undefined;
    const oldestMs = Math.min(...this.#pending.values());
    const leftMs = oldestMs + slowAfterMs - this.#clock.now();
    if (leftMs > 0 && leftMs < Infinity) this.#timer = this.#clock.after(leftMs, () => this.#look());
    const isSlow = leftMs <= 0;
    if (isSlow === this.#isSlow) return;
    this.#isSlow = isSlow;
    this.#changed.fire();
  }
}
