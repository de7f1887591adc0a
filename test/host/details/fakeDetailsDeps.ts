import * as vscode from 'vscode';
import { jobKey, type Job } from '../../../src/jobs/common/job.ts';
import { decodeJob } from '../../../src/jobs/common/decodeJob.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { JobPanelDeps } from '../../../src/features/details/editor/jobPanel.ts';
import { SpeakerNaming } from '../../../src/features/details/editor/speakerNaming.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { StoreChange } from '../../../src/jobs/node/store/listState.ts';
import { openSettings } from '../connections/userSettings.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

/** Fake dependencies of the job details: tests add and change jobs, and decide what a search returns. */
export class FakeDetailsDeps implements JobPanelDeps {
  readonly extensionUri = vscode.Uri.file('/extension');
  readonly log = new KeptLog();
  readonly clock = new FakeClock();
  readonly changes = new Emitter<StoreChange>();
  readonly facts = new Emitter<void>();
  readonly loaded = new Map<string, Job>();
  /** Undefined: rows keep their results. */
  wholes: Map<Job, Job> | undefined;
  readWhole = (job: Job, _signal: AbortSignal): Promise<Job> => Promise.resolve(job);
  readonly jobs = {
    get: (kind: string, id: string) => this.loaded.get(jobKey({ kind, id })),
    observing: () => (jobs: readonly Job[]) => jobs.forEach((job) => this.load(job.raw)),
    onDidChange: this.changes.event,
    whole: (job: Job): Job | undefined =>
      this.wholes === undefined || job.omitted === undefined ? job : this.wholes.get(job),
    readWhole: (job: Job, signal: AbortSignal): Promise<Job> => this.readWhole(job, signal),
  };
  readonly onDidChangeFacts = this.facts.event;
  readonly edited: number[] = [];
  connection: JobPanelDeps['connection'] = {
    current: { name: 'Test' },
    reach: () => Promise.resolve({ ...workConnection, name: 'Test' }),
  };
  labels: Readonly<Record<string, string>> = {};
  find: JobPanelDeps['find'] = () => Promise.resolve(undefined);
  findCreated: JobPanelDeps['findCreated'] = () => Promise.resolve(undefined);
  isPolled: JobPanelDeps['isPolled'] = () => true;
  readonly settings = openSettings();

  keyMask = (): KeyMask => new KeyMask();
  titleOf = (job: Job): string => `title of ${job.id}`;
  readonly speakers = new SpeakerNaming();
  readonly errorLabels = (): Readonly<Record<string, string>> => this.labels;
  readonly editErrorLabel = (code: number): void => void this.edited.push(code);

  readonly retried: Job[] = [];
  readonly retry = (job: Job): void => void this.retried.push(job);
  /** Recorded actions on jobs, such as `watch job-1`. */
  readonly asked: string[] = [];
  readonly watch = ({ id }: Job): void => void this.asked.push(`watch ${id}`);
  readonly newRequest = ({ id }: Job): void => void this.asked.push(`newRequest ${id}`);
  readonly openRequest = ({ id }: Job): void => void this.asked.push(`openRequest ${id}`);
  readonly submitted = new Set<string>();
  readonly isSubmitted = ({ id }: Job): boolean => this.submitted.has(id);

  /** Loads a job or a new state of it, as a refresh would. */
  load(item: JsonObject | string): Job {
    const job = jobOf(item);
    this.loaded.set(jobKey(job), job);
    this.changes.fire({ type: 'lists', lists: [], jobs: new Set([jobKey(job)]), kinds: false });
    return job;
  }
}

/** A service that must receive no request. */
export const noSource = fakeReader(() => Promise.reject(new Error('nothing may be asked')));

/** Returns the job decoded from an item. A string is used as the item's raw JSON. */
export function jobOf(item: JsonObject | string): Job {
  const raw = typeof item === 'string' ? item : JSON.stringify(item);
  const entry = decodeJob(JSON.parse(raw), raw, undefined, () => undefined);
  if (entry.type !== 'job') throw new Error('the item is no job');
  return entry;
}
