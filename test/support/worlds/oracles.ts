import type { ReceivedRequest, World } from './world.ts';
import { isUnreadable } from './worldItems.ts';
import { stateAt, type WorldJob } from './worldJobs.ts';
import { orderedRows } from './worldList.ts';
import type { ReceivedPost } from './worldPosts.ts';
import { matchesQuery, type WorldQuery } from './worldQuery.ts';

/**
 * Ids of the jobs that matched at every moment from `from` to `to`, both included: what a reading between them must list. Jobs
 * that are handed out as something unreadable are left out; {@link unreadableThroughout} counts them. What a date of the query
 * means is what it means to this world.
 */
export function matchedThroughout(world: World, query: WorldQuery, from: number, to: number): readonly string[] {
  return readable(world, jobsThroughout(world, query, from, to));
}

/** How many unreadable items stood in the list at every moment. */
export function unreadableThroughout(world: World, query: WorldQuery, from: number, to: number): number {
  return jobsThroughout(world, query, from, to).filter((job) => isUnreadable(world.knobs, job)).length;
}

/** Ids of the jobs that matched at one moment or more: nothing else may be listed. */
export function everMatched(world: World, query: WorldQuery, from: number, to: number): readonly string[] {
  const since = seenSince(world, from);
  const jobs = world.jobs.filter((job) =>
    statesWithin(job, since, to).some((state) => matchesQuery(world.knobs, query, job, state)),
  );
  return readable(world, jobs);
}

/** How many jobs match at a moment, unreadable ones included, each once. */
export function trueCount(world: World, query: WorldQuery, moment: number): number {
  return world.jobs.filter((job) => {
    const state = stateAt(job, moment);
    return state !== undefined && matchesQuery(world.knobs, query, job, state);
  }).length;
}

/** The counts that were true at some moment of a time: an exact count is right if it is one of them. */
export function trueCounts(world: World, query: WorldQuery, from: number, to: number): ReadonlySet<number> {
  const since = seenSince(world, from);
  const moments = world.jobs.flatMap(({ states }) => states.map(({ moment }) => moment));
  const within = new Set([since, ...moments.filter((moment) => moment > since && moment <= to)]);
  return new Set([...within].map((moment) => trueCount(world, query, moment)));
}

/** How many rows the list of that moment has: more than jobs where the world repeats some. */
export function trueRows(world: World, query: WorldQuery, moment: number): number {
  const rows = orderedRows({ ...world.knobs, ties: 'stable' }, world.jobs, moment, 0);
  return rows.filter(({ job, state }) => matchesQuery(world.knobs, query, job, state)).length;
}

/** POSTs that arrived, with the jobs that were made of them. */
export function postsReceived(world: World): readonly ReceivedPost[] {
  return world.posts;
}

/** Requests that arrived, narrowed to a method if one is named. */
export function requestsReceived(world: World, method?: string): readonly ReceivedRequest[] {
  return world.requests.filter((request) => method === undefined || request.method === method);
}

function jobsThroughout(world: World, query: WorldQuery, from: number, to: number): readonly WorldJob[] {
  const since = seenSince(world, from);
  return world.jobs.filter((job) => {
    const states = statesWithin(job, since, to);
    const isKnownThroughout = (job.states[0]?.moment ?? Number.POSITIVE_INFINITY) <= since;
    return isKnownThroughout && states.every((state) => matchesQuery(world.knobs, query, job, state));
  });
}

/** States that a job had at some moment of the time, oldest first. */
function statesWithin(job: WorldJob, from: number, to: number): WorldJob['states'] {
  const first = stateAt(job, from);
  return [...(first === undefined ? [] : [first]), ...job.states.filter(({ moment }) => moment > from && moment <= to)];
}

/** The oldest moment that an answer after `from` may show, where replicas lag behind. */
function seenSince(world: World, from: number): number {
  const lag = Math.max(0, ...world.knobs.replicaLagsMs);
  if (lag === 0) return from;
  const request = world.requests.findLast(({ moment }) => moment <= from);
  return Math.min(from, world.momentAt((request?.at ?? Date.parse(world.knobs.startAt)) - lag));
}

function readable(world: World, jobs: readonly WorldJob[]): readonly string[] {
  return jobs.filter((job) => !isUnreadable(world.knobs, job)).map(({ id }) => id);
}
