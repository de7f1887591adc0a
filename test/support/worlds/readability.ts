import {
  rightService,
  type ArrayEncoding,
  type MetadataEncoding,
  type WorldKnobs,
  type WorldSpec,
} from './worldSpec.ts';

/**
 * Result that a careful reader can achieve in a world:
 * - `readable`: read every job that matched throughout, or recognize from the answers that it did not;
 * - `serviceFault`: the service violates the contract in a way that no answer shows, so a reader that trusts it loses
 * jobs;
 * - `impossible`: no comparison of responses reveals the loss.
 */
export interface Readability {
  readonly verdict: 'readable' | 'serviceFault' | 'impossible';
  /** Empty for `readable`. */
  readonly reasons: readonly Reason[];
}

/** Why a list of a world can lose jobs unnoticed. */
interface Reason {
  /** Number of the point in docs/limits.md that tells users, from 1 on. */
  readonly point: number;
  readonly why: string;
}

/** The reader's encoding of arrays and objects in query strings; undefined if it does not filter by them. */
export interface WrittenAs {
  readonly array?: ArrayEncoding;
  readonly metadata?: MetadataEncoding;
}

/** Rates if a list of this world can be read without an undetectable loss. */
export function readability(spec: WorldSpec, writtenAs: WrittenAs = {}): Readability {
  const knobs = { ...rightService, ...spec };
  const impossible = [...impossibilities(knobs)];
  const faults = [...serviceFaults(knobs, writtenAs)];
  const reasons = [...impossible, ...faults];
  return { verdict: impossible.length > 0 ? 'impossible' : faults.length > 0 ? 'serviceFault' : 'readable', reasons };
}

function* impossibilities(knobs: WorldKnobs): Generator<Reason> {
  const { order, ties, changes, cut } = knobs;
  if (ties === 'shuffled' && hasTies(knobs)) {
    yield {
      point: 2,
      why: 'jobs of the same instant stand in another order at each request: a page may repeat one and leave out another, and only a page that holds them all shows them',
    };
  }
  const moves = changes.some(
    ({ what }) => what === 'progress' || what === 'flip' || (what === 'return' && order === 'changed'),
  );
  if ((order === 'completedFirst' || order === 'completedLast' || order === 'changed') && moves) {
    yield {
      point: 3,
      why: 'a change moves a job to another place: from the part not yet read to the part already read, without a trace where another leaves that part at the same time',
    };
  }
  if (cut === 'beforeFilterShortIsEnd') {
    yield {
      point: 4,
      why: 'the filter is applied to a page after it was cut, and a page that became shorter is called the last: what follows is never announced',
    };
  }
}

function* serviceFaults(knobs: WorldKnobs, { array, metadata }: WrittenAs): Generator<Reason> {
  const { next, beyond, arrays, repeats } = knobs;
  if (next.more === 'null' || next.nullFrom !== null) {
    yield {
      point: 1,
      why: 'next is null although there is more (contract 2.1: "null when there is none")',
    };
  }
  if (beyond?.answer === 'empty' && beyond.counts === 'end') {
    yield {
      point: 1,
      why: `the list ends at ${beyond.at} jobs with next null, as if there were no more (contract 2.1)`,
    };
  }
  if (array !== undefined && !arrays.understands.includes(array) && isMisread(arrays.otherwise)) {
    yield {
      point: 8,
      why: 'several statuses are taken for one or for none, and the answer does not say so (contract 4.5: "several values allowed")',
    };
  }
  if (array !== undefined && !arrays.understands.includes(array) && repeats?.stale === true) {
    yield {
      point: 9,
      why: 'a job is listed a second time as it was before, and the statuses asked for are not obeyed: nobody can tell which of both it is now (contract 4.5)',
    };
  }
  if (metadata !== undefined && !knobs.metadata.understands.includes(metadata) && isMisread(knobs.metadata.otherwise)) {
    yield {
      point: 8,
      why: 'the metadata asked for are taken for others, and the answer does not say so (contract 4.5)',
    };
  }
}

/** Ignored filters are visible in the items; rejections in the status. */
function isMisread(otherwise: WorldKnobs['arrays']['otherwise']): boolean {
  return otherwise === 'first' || otherwise === 'nothing';
}

function hasTies({ order, jobs, changes }: WorldKnobs): boolean {
  if (order === 'id') return false;
  const isCreation = order === 'newest' || order === 'oldest';
  if (!isCreation && order !== 'changed') return true;
  return jobs.tied > 1 || jobs.spacingMs === 0 || changes.some(({ what }) => what === 'arrive');
}
