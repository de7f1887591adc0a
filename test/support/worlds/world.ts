import { chooseJob, nextStatus } from './worldChanges.ts';
import { firstJobs, isObject, kindOf, mixSeed, newJob, type JobState, type WorldJob } from './worldJobs.ts';
import { dateHeader, retryAfter } from './worldHeaders.ts';
import { orderedRows, pageOf, type WorldRow } from './worldList.ts';
import { postBody, type ReceivedPost } from './worldPosts.ts';
import { readListRequest } from './worldQuery.ts';
import { rightService, type ChangeKnob, type WorldKnobs, type WorldSpec } from './worldSpec.ts';

/** A response of the service; header names are in lower case. */
export interface WorldAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A request as received by the service. */
export interface ReceivedRequest {
  /** 1 for the first. */
  readonly number: number;
  readonly method: string;
  /** With the query. */
  readonly path: string;
  /** The world's moment at which it was answered. */
  readonly moment: number;
  /** Virtual time of the service's clock, in milliseconds since the epoch. */
  readonly at: number;
  /** Undefined if the connection broke without a response. */
  readonly status: number | undefined;
}

/** The connection broke; `answer` is what had arrived by then, with an incomplete body. */
export class BrokenConnection extends Error {
  readonly code = 'ECONNRESET';
  readonly answer: WorldAnswer | undefined;

  constructor(answer?: WorldAnswer) {
    super(answer === undefined ? 'connection reset before an answer' : 'connection reset within the answer');
    this.name = 'BrokenConnection';
    this.answer = answer;
  }
}

/** Max number of jobs that a world adds by itself, so that worlds stay finite. */
const maxArrivals = 1000;
/** Max total number of job states, after which a world stops changing, so that unlimited changes do not slow tests down. */
const maxStates = 4000;
/** Max number of changes in one time step; further due changes are skipped. */
const maxChangesAtOnce = 100;

/**
 * A service generated from those that the contract allows, without I/O: time passes only with requests and `advance`,
 * and the spec determines everything that happens. It records the state of every job at each moment, for `oracles.ts`.
 */
export class World {
  readonly knobs: WorldKnobs;
  /** The origin of page URLs; a listener sets its own. */
  origin = 'http://world.example';
  readonly #jobs: WorldJob[];
  readonly #requests: ReceivedRequest[] = [];
  readonly #posts: ReceivedPost[] = [];
  /** The next due time of each time-based change rule. */
  readonly #due = new Map<ChangeKnob, number>();
  readonly #applied = new Map<ChangeKnob, number>();
  /** Jobs that were created and are not listed yet. */
  #pending: { readonly at: number; readonly job: WorldJob }[] = [];
  /** The moments at which something changed, with their time; newest last. */
  readonly #changes: { readonly moment: number; readonly at: number }[] = [];
  #ordered: { readonly moment: number; readonly rows: readonly WorldRow[] } | undefined;
  #emptyPagesLeft: number;
  #now: number;
  #moment = 0;
  #gets = 0;
  #draws = 0;

  constructor(spec: WorldSpec = {}) {
    this.knobs = { ...rightService, ...spec };
    this.#now = Date.parse(this.knobs.startAt);
    this.#jobs = firstJobs(this.knobs.jobs, this.knobs.seed, this.#now);
    this.#emptyPagesLeft = this.knobs.emptyPages?.times ?? Number.POSITIVE_INFINITY;
    this.#changes.push({ moment: 0, at: this.#now });
    for (const change of this.knobs.changes) {
      if (change.per === 'ms') this.#due.set(change, this.#now + change.every);
    }
  }

  /** All jobs that ever existed, with their states. */
  get jobs(): readonly WorldJob[] {
    return this.#jobs;
  }

  /** A counter of requests and changes, which oracles use as time. */
  get moment(): number {
    return this.#moment;
  }

  get requests(): readonly ReceivedRequest[] {
    return this.#requests;
  }

  get posts(): readonly ReceivedPost[] {
    return this.#posts;
  }

  /** Virtual time of the clock that dates jobs, in milliseconds since the epoch. */
  now(): number {
    return this.#now;
  }

  /** Virtual time of the client's own clock. */
  clientNow(): number {
    return this.#now + this.knobs.clientOffsetMs;
  }

  /** Lets virtual time pass, applying the changes that are due. */
  advance(ms: number): void {
    const until = this.#now + ms;
    if ((this.#due.size === 0 || this.#rests()) && this.#pending.length === 0) {
      this.#now = until;
      return;
    }
    for (let applied = 0; applied < maxChangesAtOnce; applied++) {
      const [change, changeAt] = [...this.#due].reduce((first, entry) => (entry[1] < first[1] ? entry : first), [
        undefined,
        Number.POSITIVE_INFINITY,
      ] as readonly [ChangeKnob | undefined, number]);
      const pending = this.#pending.toSorted((left, right) => left.at - right.at)[0];
      if (pending !== undefined && pending.at <= Math.min(changeAt, until)) {
        this.#now = Math.max(this.#now, pending.at);
        this.#pending = this.#pending.filter((each) => each !== pending);
        this.#change(pending.job, { isListed: true });
      } else if (change !== undefined && changeAt <= until) {
        this.#now = Math.max(this.#now, changeAt);
        this.#due.set(change, changeAt + Math.max(1, change.every));
        this.#apply(change);
      } else break;
    }
    this.#now = Math.max(this.#now, until);
    for (const [change, dueAt] of this.#due) this.#due.set(change, Math.max(dueAt, this.#now));
  }

  /** Returns the last moment at which nothing later than this virtual time had happened. */
  momentAt(time: number): number {
    return this.#changes.findLast(({ at }) => at <= time)?.moment ?? 0;
  }

  /**
   * Responds to a request as the service would.
   * @param path with its query, without the origin.
   * @param headers names in lower case.
   * @throws {BrokenConnection} if the service breaks the connection.
   */
  async handle(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>> = {},
    body = '',
  ): Promise<WorldAnswer> {
    this.advance(this.knobs.latencyMs);
    const number = this.#requests.length + 1;
    if (number > 1) {
      for (const change of this.knobs.changes) {
        if (change.per === 'request' && number % Math.max(1, change.every) === 0) this.#apply(change);
      }
    }
    this.#moment += 1;
    const received = { number, method, path, moment: this.#moment, at: this.#now };
    try {
      const answer = this.#answer(method, path, headers, body);
      this.#requests.push({ ...received, status: answer.status });
      return answer;
    } catch (error) {
      const status = error instanceof BrokenConnection ? error.answer?.status : undefined;
      this.#requests.push({ ...received, status });
      throw error;
    }
  }

  #answer(
    method: string,
    path: string,
    headers: Readonly<Record<string, string | readonly string[] | undefined>>,
    body: string,
  ): WorldAnswer {
    const { pathname, searchParams } = new URL(path, 'http://world.example');
    const endpoint = pathname.replace(/^\/v2\//u, '');
    if (!headers['x-service-key']) return this.#refuse(401, 'x-service-key is required');
    if (method === 'POST' && endpoint === 'pre-recorded') return this.#submit(body);
    if (method !== 'GET') return this.#refuse(405, `${method} is not allowed`);
    if (!['pre-recorded', 'live', 'transcription'].includes(endpoint)) return this.#refuse(404, 'no such path');
    return this.#list(endpoint, searchParams);
  }

  #list(endpoint: string, params: URLSearchParams): WorldAnswer {
    const { knobs } = this;
    const { rateLimit, hiccups, combined } = knobs;
    this.#gets += 1;
    if (rateLimit !== null && this.#gets % Math.max(2, rateLimit.every) === 0) {
      return this.#refuse(429, 'slow down', retryAfter(rateLimit, this.#now));
    }
    const hiccup = hiccups !== null && this.#gets % Math.max(2, hiccups.every) === 0 ? hiccups.as : undefined;
    if (hiccup === 'breaks') throw new BrokenConnection();
    if (hiccup === 'notJson') return this.#say(200, '<html>One moment, please</html>');
    if (hiccup === 'emptyBody') return this.#say(200, '');
    if (typeof hiccup === 'number') return this.#refuse(hiccup, 'try again');
    if (endpoint === 'transcription' && typeof combined === 'number') return this.#refuse(combined, 'deprecated');
    const request = readListRequest(knobs, endpoint, params);
    if (request.refused !== undefined) return this.#refuse(request.refused, request.because);
    const takesEmptyPage = (): boolean => (this.#emptyPagesLeft -= 1) >= 0;
    const page = pageOf({ knobs, rows: this.#rows(), request, endpoint, origin: this.origin, takesEmptyPage });
    if (typeof page === 'number') return this.#refuse(page, 'offset is too large');
    const answer = this.#say(200, JSON.stringify(page));
    if (hiccup === 'cut') throw halfOf(answer);
    return answer;
  }

  #submit(body: string): WorldAnswer {
    const { posts, made } = this.knobs;
    const knob = posts[this.#posts.length % Math.max(1, posts.length)] ?? rightService.posts[0];
    if (knob === undefined) throw new Error('the right service answers POST');
    const job = knob.processed ? this.#make(parsed(body)) : undefined;
    const state = job?.states.at(-1);
    const text = postBody(this.knobs, knob, job === undefined || state === undefined ? undefined : { job, state });
    const { answer } = knob;
    const status = answer === 'cut' ? 201 : answer;
    const post = { request: this.#requests.length + 1, at: this.#now, body, jobId: job?.id };
    this.#posts.push({ ...post, answered: status === 'breaks' ? undefined : status });
    if (made.afterMs === 0 && job !== undefined) this.#change(job, { isListed: true });
    if (status === 'breaks') throw new BrokenConnection();
    const isRedirect = status >= 300 && status < 400;
    const said = this.#say(status, text, isRedirect ? { location: `${this.origin}/v2/pre-recorded` } : {});
    if (answer === 'cut') throw halfOf(said);
    return said;
  }

  #make(request: unknown): WorldJob {
    const { made, seed } = this.knobs;
    const asked = isObject(request) ? request : {};
    const state = this.#newState({ isListed: false });
    const origin = {
      metadata: made.showsMetadata ? asked['custom_metadata'] : undefined,
      request: made.showsRequest ? asked : undefined,
      showsCreatedAt: made.showsCreatedAt,
    };
    const createdAt = this.#now + made.datedByMs;
    const job = newJob({ key: this.#jobs.length, seed, createdAt, kind: 'pre-recorded', state, origin });
    this.#jobs.push(job);
    if (made.afterMs > 0) this.#pending.push({ at: this.#now + made.afterMs, job });
    return job;
  }

  #rests(): boolean {
    return this.#changes.length > maxStates;
  }

  #apply(change: ChangeKnob): void {
    if (this.#rests()) return;
    const applied = this.#applied.get(change) ?? 0;
    if (change.times !== null && applied >= change.times) return;
    this.#applied.set(change, applied + 1);
    for (let count = 0; count < change.count; count++) {
      this.#draws += 1;
      const draw = mixSeed(this.knobs.seed, this.#draws, 17);
      if (change.what === 'arrive') this.#arrive(change);
      else {
        const job = chooseJob(change, this.#jobs, this.#moment, draw);
        const status = job?.states.at(-1)?.status;
        if (job === undefined || status === undefined) continue;
        if (change.what === 'leave') this.#change(job, { isListed: false });
        else if (change.what === 'return') this.#change(job, { isListed: true });
        else {
          const next = nextStatus(change.what, status, this.knobs.seed, draw);
          const completedAt = next === 'done' || next === 'error' ? this.#now : undefined;
          this.#change(job, { status: next, completedAt });
        }
      }
    }
  }

  #arrive({ datedByMs }: ChangeKnob): void {
    const { jobs, seed } = this.knobs;
    const key = this.#jobs.length;
    if (key >= jobs.count + maxArrivals) return;
    const state = this.#newState({ isListed: true });
    this.#jobs.push(newJob({ key, seed, createdAt: this.#now + datedByMs, kind: kindOf(jobs, key), state }));
  }

  #change(job: WorldJob, changed: Partial<JobState>): void {
    const last = job.states.at(-1);
    if (last === undefined) return;
    const { moment, at } = this.#newState({});
    job.states.push({ ...last, version: last.version + 1, ...changed, moment, at });
  }

  /** Creates a state that begins now, at a new moment. */
  #newState({ isListed = true }: { readonly isListed?: boolean }): JobState {
    this.#moment += 1;
    this.#changes.push({ moment: this.#moment, at: this.#now });
    return { moment: this.#moment, at: this.#now, isListed, status: 'queued', completedAt: undefined, version: 1 };
  }

  /** Returns the list as seen by the replica that responds. */
  #rows(): readonly WorldRow[] {
    const { replicaLagsMs, ties } = this.knobs;
    const lag = replicaLagsMs[this.#gets % Math.max(1, replicaLagsMs.length)] ?? 0;
    const moment = lag === 0 ? (this.#changes.at(-1)?.moment ?? 0) : this.momentAt(this.#now - lag);
    if (this.#ordered?.moment === moment && ties === 'stable') return this.#ordered.rows;
    const rows = orderedRows(this.knobs, this.#jobs, moment, this.#gets);
    this.#ordered = { moment, rows };
    return rows;
  }

  #refuse(status: number, message: string, headers: Readonly<Record<string, string>> = {}): WorldAnswer {
    return this.#say(status, JSON.stringify({ statusCode: status, message }), headers);
  }

  #say(status: number, body: string, headers: Readonly<Record<string, string>> = {}): WorldAnswer {
    const date = dateHeader(this.knobs.dateHeader, this.#now, this.#gets);
    const type = body.startsWith('<') ? 'text/html' : 'application/json';
    return { status, headers: { 'content-type': type, ...(date !== undefined && { date }), ...headers }, body };
  }
}

function halfOf(answer: WorldAnswer): BrokenConnection {
  return new BrokenConnection({ ...answer, body: answer.body.slice(0, answer.body.length >> 1) });
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
