import * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import { chooseJobLabel } from '../../domain/jobs/jobRow.ts';
import type { Locale } from '../../domain/format.ts';
import type { Clock } from '../../service/clock.ts';
import { DisposableOwner } from '../../service/disposable.ts';
import type { ActiveConnection } from '../connections/activeConnection.ts';
import type { Settings } from '../settings.ts';
import type { ItemFacts } from './jobTreeItems.ts';

type TimelessFacts = Omit<ItemFacts, 'nowMs'>;

/**
 * What tree items and webviews depend on besides their jobs. Cached until it changes, because thousands of tree items ask for it and
 * reading settings is slow.
 */
export class CurrentFacts extends DisposableOwner {
  /** Fires when labels or the current connection may have changed. */
  readonly onDidChange: vscode.Event<void>;
  readonly #changed = this.own(new vscode.EventEmitter<void>());
  readonly #clock: Clock;
  readonly #read: () => TimelessFacts;
  #cached: TimelessFacts | undefined;

  constructor(settings: Settings, connection: ActiveConnection, clock: Clock, locale: Locale) {
    super();
    this.onDidChange = this.#changed.event;
    this.#clock = clock;
    this.#read = () => ({
      connection: connection.current?.name ?? '',
      labelKeys: settings.get('labelKeys'),
      errorLabels: Object.fromEntries(settings.get('errorLabels')),
      locale,
    });
    this.own(
      settings.onDidChange((change) => {
        if (change.affects('labelKeys') || change.affects('errorLabels')) this.#renew();
      }),
    );
    this.own(connection.onDidChange(() => this.#renew()));
  }

  /** The current facts. */
  now(): ItemFacts {
    return { ...this.#timeless, nowMs: this.#clock.now() };
  }

  /** The job's label in the tree. */
  titleOf(job: Job): string {
    return chooseJobLabel(job, this.#timeless.labelKeys);
  }

  /** The user's labels for error codes, by code. */
  get errorLabels(): Readonly<Record<string, string>> {
    return this.#timeless.errorLabels;
  }

  get #timeless(): TimelessFacts {
    this.#cached ??= this.#read();
    return this.#cached;
  }

  #renew(): void {
    this.#cached = undefined;
    this.#changed.fire();
  }
}
