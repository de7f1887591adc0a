import type { ReceivedRequest, World } from './world.ts';
import { isUnreadable } from './worldItems.ts';
import { stateAt, type WorldJob } from './worldJobs.ts';
import { orderedRows } from './worldList.ts';
import type { ReceivedPost } from './worldPosts.ts';
import { matchesQuery, type WorldQuery } from './worldQuery.ts';

/**
 * Returns ids of the jobs that matched at every moment from `from` to `to` inclusive: a reading in that time must list them. Excludes jobs
 * that the world lists as unreadable items, see {@link unreadableThroughout}. Dates in the query are interpreted as this world does.
 */
export function matchedThroughout(world: World, query: WorldQuery, from: number, to: number): readonly string[] {
  return readable(world, jobsThroughout(world, query, from, to));
}

/** Counts the unreadable items that were in the list at every moment. */
export function unreadableThroughout(world: World, query: WorldQuery, from: number, to: number): number {
  return jobsThroughout(world, query, from, to).filter((job) => isUnreadable(world.knobs, job)).length;
}

/** Returns ids of the jobs that matched at some moment: a reading may list no others. */
export function everMatched(world: World, query: WorldQuery, from: number, to: number): readonly string[] {
  const since = seenSince(world, from);
  const jobs = world.jobs.filter((job) =>
    statesWithin(job, since, to).some((state) => matchesQuery(world.knobs, query, job, state)),
  );
  return readable(world, jobs);
}

/** Counts the distinct jobs that match at a moment, including unreadable ones. */
export function trueCount(world: World, query: WorldQuery, moment: number): number {
  return world.jobs.filter((job) => {
    const state = stateAt(job, moment);
    return state !== undefined && matchesQuery(world.knobs, query, job, state);
  }).length;
}

/** Returns the counts that were true at some moment in the interval: an exact count must be one of them. */
export function trueCounts(world: World, query: WorldQuery, from: number, to: number): ReadonlySet<number> {
  const since = seenSince(world, from);
  const moments = world.jobs.flatMap(({ states }) => states.map(({ moment }) => moment));
  const within = new Set([since, ...moments.filter((moment) => moment > since && moment <= to)]);
  return new Set([...within].map((moment) => trueCount(world, query, moment)));
}

/** Counts the rows in the list at that moment: more than jobs if the world repeats some. */
export function trueRows(world: World, query: WorldQuery, moment: number): number {
  const rows = orderedRows({ ...world.knobs, ties: 'stable' }, world.jobs, moment, 0);
  return rows.filter(({ job, state }) => matchesQuery(world.knobs, query, job, state)).length;
}

/** Returns the POSTs received, with the jobs created from them. */
export function postsReceived(world: World): readonly ReceivedPost[] {
  return world.posts;
}

/** Returns the requests received, optionally of one method. */
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

/** Returns the states that a job had in the interval, oldest first. */
function statesWithin(job: WorldJob, from: number, to: number): WorldJob['states'] {
  const first = stateAt(job, from);
  return [...(first === undefined ? [] : [first]), ...job.states.filter(({ moment }) => moment > from && moment <= to)];
}

/** Returns the oldest moment whose state a response after `from` may show, given the replicas' lag. */
function seenSince(world: World, from: number): number {
  const lag = Math.max(0, ...world.knobs.replicaLagsMs);
  if (lag === 0) return from;
  const request = world.requests.findLast(({ moment }) => moment <= from);
  return Math.min(from, world.momentAt((request?.at ?? Date.parse(world.knobs.startAt)) - lag));
}

function readable(world: World, jobs: readonly WorldJob[]): readonly string[] {
  return jobs.filter((job) => !isUnreadable(world.knobs, job)).map(({ id }) => id);
}
