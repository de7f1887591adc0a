import * as vscode from 'vscode';
import type { Job } from '../../domain/jobs/job.ts';
import { chooseJobLabel } from '../../domain/jobs/jobRow.ts';
import type { Locale } from '../../domain/format.ts';
import type { Clock } from '../../service/clock.ts';
import type { ActiveConnection } from '../connections/activeConnection.ts';
import type { Settings } from '../settings.ts';
import type { ItemFacts } from './jobTreeItems.ts';

type LastingFacts = Omit<ItemFacts, 'nowMs'>;

/** What rows and pages depend on besides their jobs. Kept until it changes: rows ask by the thousand, and reading settings is not that quick. */
export class CurrentFacts implements vscode.Disposable {
  /** Labels may read differently now, or another connection is in use. */
  readonly onDidChange: vscode.Event<void>;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #clock: Clock;
  readonly #read: () => LastingFacts;
  readonly #listeners: vscode.Disposable;
  #kept: LastingFacts | undefined;

  constructor(settings: Settings, connection: ActiveConnection, clock: Clock, locale: Locale) {
    this.onDidChange = this.#changed.event;
    this.#clock = clock;
    this.#read = () => ({
      connection: connection.current?.name ?? '',
      labelKeys: settings.get('labelKeys'),
      errorLabels: Object.fromEntries(settings.get('errorLabels')),
      locale,
    });
    this.#listeners = vscode.Disposable.from(
      settings.onDidChange((change) => {
        if (change.affects('labelKeys') || change.affects('errorLabels')) this.#renew();
      }),
      connection.onDidChange(() => this.#renew()),
    );
  }

  /** The facts as they are at this moment. */
  now(): ItemFacts {
    return { ...this.#lasting, nowMs: this.#clock.now() };
  }

  /** What a job is called in the tree. */
  titleOf(job: Job): string {
    return chooseJobLabel(job, this.#lasting.labelKeys);
  }

  /** The user's words for error codes, by code. */
  get errorLabels(): Readonly<Record<string, string>> {
    return this.#lasting.errorLabels;
  }

  dispose(): void {
    this.#listeners.dispose();
    this.#changed.dispose();
  }

  get #lasting(): LastingFacts {
    this.#kept ??= this.#read();
    return this.#kept;
  }

  #renew(): void {
    this.#kept = undefined;
    this.#changed.fire();
  }
}
