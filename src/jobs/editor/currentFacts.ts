import * as vscode from 'vscode';
import type { Job } from '../common/job.ts';
import type { SubmittedAs } from '../common/submission.ts';
import { chooseJobLabel } from '../common/jobRow.ts';
import type { Locale } from '../../base/format.ts';
import type { Clock } from '../../base/clock.ts';
import { DisposableOwner } from '../../base/disposable.ts';
import type { ActiveConnection } from '../../connections/editor/activeConnection.ts';
import type { ActiveService } from '../node/activeService.ts';
import type { Settings } from '../../settings.ts';
import type { ItemFacts } from './jobItem.ts';
import { parseUrl } from '../../base/webAddress.ts';

type TimelessFacts = Omit<ItemFacts, 'nowMs'> & { readonly submittedAs: ReadonlyMap<string, string> };

/**
 * Inputs of tree items and webviews besides their jobs. Cached until they change, because thousands of tree items use them and reading
 * settings is slow.
 */
export class CurrentFacts extends DisposableOwner {
  /** Fires when labels or the current connection may have changed. */
  readonly onDidChange: vscode.Event<void>;
  readonly #changed = this.own(new vscode.EventEmitter<void>());
  readonly #clock: Clock;
  readonly #service: Pick<ActiveService, 'keyMask'>;
  readonly #read: () => TimelessFacts;
  /** Names of submitted jobs by id, for each connection by name. */
  readonly #submitted = new Map<string, Map<string, string>>();
  /** IDs of jobs of all connections that were submitted in a batch. Rows only look up jobs of their own connection. */
  readonly #inBatch = new Set<string>();
  /** IDs of jobs that repeat failed ones, by the ID of the failed job, also of all connections. */
  readonly #resubmittedAs = new Map<string, string>();
  #isHandled: (job: Job) => boolean = () => false;
  #cached: TimelessFacts | undefined;
  #now: ItemFacts | undefined;

  constructor(
    settings: Settings,
    connection: ActiveConnection,
    service: Pick<ActiveService, 'keyMask'>,
    clock: Clock,
    locale: Locale,
  ) {
    super();
    this.#service = service;
    this.onDidChange = this.#changed.event;
    this.#clock = clock;
    this.#read = () => ({
      connection: connection.current?.name ?? '',
      host: hostOf(connection.current?.baseUrl ?? ''),
      labelKeys: settings.get('labelKeys'),
      areKindsMixed: connection.current?.listSource === 'combined',
      submittedAs: this.submittedAs(connection.current?.name ?? ''),
      inBatch: this.#inBatch,
      resubmittedAs: this.#resubmittedAs,
      isHandled: this.#isHandled,
      errorLabels: Object.fromEntries(settings.get('errorLabels')),
      locale,
      times: settings.get('times'),
    });
    this.own(
      settings.onDidChange((change) => {
        if (change.affects('labelKeys') || change.affects('errorLabels') || change.affects('times')) this.#renew();
      }),
    );
    this.own(connection.onDidChange(() => this.#renew()));
  }

  /** Returns the current facts: the same object within a millisecond, in which many rows use them. */
  now(): ItemFacts {
    const nowMs = this.#clock.now();
    if (this.#now?.nowMs !== nowMs) this.#now = { ...this.#timeless, nowMs };
    return this.#now;
  }

  /** Returns the label of the job's row for messages, pages and files, with the key masked. */
  titleOf(job: Job): string {
    const { labelKeys, submittedAs } = this.#timeless;
    return chooseJobLabel(job, labelKeys, submittedAs, (text) => this.#service.keyMask.applyToBeginning(text));
  }

  /** Returns the names of submitted jobs of a connection, by ID. */
  submittedAs(connection: string): ReadonlyMap<string, string> {
    return this.#submitted.get(connection) ?? new Map<string, string>();
  }

  /** Returns the ID of the newest job that repeats a failed one; undefined if there is none. */
  resubmittedAs(id: string): string | undefined {
    return this.#resubmittedAs.get(id);
  }

  /** Stores the submitted jobs of a connection, by ID, newest first. */
  nameJobs(connection: string, jobs: ReadonlyMap<string, SubmittedAs>): void {
    const known = this.#submitted.get(connection) ?? new Map<string, string>();
    const { size } = known;
    for (const [id, { name, isInBatch, replaces }] of [...jobs].toReversed()) {
      known.set(id, name);
      if (isInBatch) this.#inBatch.add(id);
      if (replaces !== undefined) this.#resubmittedAs.set(replaces, id);
    }
    if (known.size === size) return;
    this.#submitted.set(connection, known);
    this.#renew();
  }

  /** True if the failure of a job of the current connection was marked as handled. */
  isHandled(job: Job): boolean {
    return this.#isHandled(job);
  }

  /** Sets which failures of the current connection are marked as handled. */
  noteHandled(isHandled: (job: Job) => boolean): void {
    this.#isHandled = isHandled;
    this.#renew();
  }

  /** User's labels for error codes, by code. */
  get errorLabels(): Readonly<Record<string, string>> {
    return this.#timeless.errorLabels;
  }

  get #timeless(): TimelessFacts {
    this.#cached ??= this.#read();
    return this.#cached;
  }

  #renew(): void {
    this.#cached = undefined;
    this.#now = undefined;
    this.#changed.fire();
  }
}

function hostOf(baseUrl: string): string {
  return parseUrl(baseUrl)?.host ?? '';
}
