import type { Failure } from '../../../src/base/failure.ts';
import * as vscode from 'vscode';
import type { ListKey } from '../../../src/jobs/common/listKey.ts';
import { jobKey, type Job } from '../../../src/jobs/common/job.ts';
import { decodeJob } from '../../../src/jobs/common/decodeJob.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';
import type { Connection } from '../../../src/connections/common/connection.ts';
import type { CreationHint } from '../../../src/jobs/common/listParams.ts';
import type { SoughtJob } from '../../../src/jobs/node/jobSearch.ts';
import type { Attention } from '../../../src/features/attention/common/attention.ts';
import type { Services } from '../../../src/services.ts';
import { fakeServices } from '../../support/fakeServices.ts';
import { JsonMemory } from '../../support/states/jsonMemory.ts';
import { SpeakerNaming } from '../../../src/features/details/editor/speakerNaming.ts';
import { Emitter } from '../../../src/base/emitter.ts';
import type { ConnectionState } from '../../../src/connections/common/connectionState.ts';
import {
  unloadedList,
  type ListRecord,
  type ListFailure,
  type StoreChange,
} from '../../../src/jobs/node/store/listState.ts';
import { openSettings } from '../connections/userSettings.ts';
import { FakeClock } from '../../support/fakeClock/fakeClock.ts';
import { KeyMask } from '../../../src/platform/http/keyMask.ts';
import { KeptLog } from '../../support/keptLog.ts';
import { workConnection } from '../../support/builders/workConnection.ts';
import { fakeReader } from '../../support/lists/fakeLists.ts';

/** Fake dependencies of the job details: tests add and change jobs, and decide what a search returns. */
export class FakeDetailsDeps {
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
    list: (key: ListKey): ListRecord => ({
      ...unloadedList(key),
      loaded: true,
      failure: this.listFailure && listFailureOf(this.listFailure),
    }),
    whole: (job: Job): Job | undefined =>
      this.wholes === undefined || job.omitted === undefined ? job : this.wholes.get(job),
    readWhole: (job: Job, signal: AbortSignal): Promise<Job> => this.readWhole(job, signal),
  };
  /** The failure of every list. */
  listFailure: Failure | undefined;
  readonly onDidChangeFacts = this.facts.event;
  connection: { readonly current: Pick<Connection, 'name'> | undefined; reach(): Promise<Connection> } = {
    current: { name: 'Test' },
    reach: () => Promise.resolve({ ...workConnection, name: 'Test' }),
  };
  key: 'found' | 'missing' | 'sought' = 'found';
  labels: Readonly<Record<string, string>> = {};
  find = (_kind: string, _id: string, _signal: AbortSignal, _hint?: CreationHint): Promise<Job | undefined> =>
    Promise.resolve(undefined);
  findCreated = (_job: SoughtJob, _signal: AbortSignal): Promise<Job | undefined> => Promise.resolve(undefined);
  isPolled = (_job: Job): boolean => true;
  readonly settings = openSettings();

  keyMask = (): KeyMask => new KeyMask();
  titleOf = (job: Job): string => `title of ${job.id}`;
  globalState = new JsonMemory();
  readonly speakers = new SpeakerNaming(this.globalState);
  /** Needs attention; undefined while it is not read. */
  attention: Attention | undefined;
  readonly attentionChanges = new Emitter<void>();
  /** IDs of jobs whose failure is marked as handled. */
  readonly handled = new Set<string>();

  readonly retried: Job[] = [];
  /** Recorded actions on jobs, such as `watch job-1`. */
  readonly asked: string[] = [];
  readonly submitted = new Set<string>();
  /** IDs of jobs that repeat failed ones, by the ID of the failed job. */
  readonly resubmitted = new Map<string, string>();
  /** Jobs with saved files, such as `Test/job-1`. */
  readonly saved = new Set<string>();
  readonly services: Services = makeServices(this);

  /** Loads a job or a new state of it, as a refresh would. */
  load(item: JsonObject | string): Job {
    const job = jobOf(item);
    this.loaded.set(jobKey(job), job);
    this.changes.fire({ type: 'lists', lists: [], jobs: new Set([jobKey(job)]), kinds: false });
    return job;
  }
}

/** Returns services that use these dependencies in their current state. */
function makeServices(deps: FakeDetailsDeps): Services {
  const record =
    (what: string) =>
    async ({ id }: Job): Promise<void> =>
      void deps.asked.push(`${what} ${id}`);
  return fakeServices({
    log: deps.log,
    clock: deps.clock,
    extensionUri: deps.extensionUri,
    settings: deps.settings,
    globalState: {
      get: (name: string) => deps.globalState.get(name),
      update: (name: string, value: unknown) => deps.globalState.update(name, value),
    },
    workspaceState: new JsonMemory(),
    jobs: deps.jobs,
    connections: {
      get current() {
        const { current } = deps.connection;
        return current && { ...workConnection, ...current };
      },
      get state(): ConnectionState {
        const connection = { ...workConnection, ...deps.connection.current };
        if (deps.connection.current === undefined) return { type: 'none' };
        const { key } = deps;
        return key === 'found'
          ? { type: 'ready', connection, keyFrom: 'environment' }
          : { type: key === 'missing' ? 'noKey' : 'lookingForKey', connection };
      },
      reach: () => deps.connection.reach(),
    },
    service: {
      get keyMask() {
        return deps.keyMask();
      },
      findJob: (...given) => deps.find(...given),
      findCreated: (...given) => deps.findCreated(...given),
    },
    facts: {
      titleOf: (job) => deps.keyMask().apply(deps.titleOf(job)),
      get errorLabels() {
        return deps.labels;
      },
      isHandled: ({ id }) => deps.handled.has(id),
      resubmittedAs: (id) => deps.resubmitted.get(id),
      submittedAs: () => new Map(Array.from(deps.submitted, (id) => [id, id])),
      onDidChange: deps.facts.event,
    },
    actions: {
      attention: { current: () => deps.attention, onDidChange: deps.attentionChanges.event },
      tree: { isListed: (job) => deps.isPolled(job) },
      requests: {
        retryJob: async (job) => void deps.retried.push(job),
        newRequestFromJob: record('newRequest'),
        openRequestOf: record('openRequest'),
      },
      watch: { watchListed: (jobs) => jobs.forEach((job) => void record('watch')(job)) },
      deliver: {
        saveWhenDone: async (jobs) => jobs.forEach((job) => void record('saveWhenDone')(job)),
        savedFile: async ({ name }, { id }) =>
          deps.saved.has(`${name}/${id}`) ? vscode.Uri.file('/saved') : undefined,
      },
      details: { openNamedJob: async ({ kind, id }) => void deps.asked.push(`open ${kind} ${id}`) },
    },
  });
}

function listFailureOf(failure: Failure): ListFailure {
  return { failure, atMs: 0, sinceMs: 0, during: 'refreshing' };
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
