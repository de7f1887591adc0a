import { metadataOf } from '../../../jobs/common/itemFacts.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { chooseJobLabel, type RowFacts, shortenId, shownText } from '../../../jobs/common/jobRow.ts';

/** Maximum number of compared keys. */
const maxKeys = 50;

/**
 * Returns texts that distinguish jobs with the same label that are shown together: the value of the metadata key with the most different
 * values among them, else the beginning of the ID. Jobs with a unique label have none.
 */
export function distinguish(
  jobs: readonly Job[],
  { labelKeys, submittedAs }: Pick<RowFacts, 'labelKeys' | 'submittedAs'>,
): ReadonlyMap<Job, string> {
  const alike = new Map<string, Job[]>();
  for (const job of jobs) {
    const label = chooseJobLabel(job, labelKeys, submittedAs);
    const same = alike.get(label);
    if (same === undefined) alike.set(label, [job]);
    else same.push(job);
  }
  return new Map(
    [...alike.values()].flatMap((same) => {
      if (same.length < 2) return [];
      const key = keyThatVaries(same);
      return same.map((job) => [job, textAt(job, key) ?? shortenId(job.id)] as const);
    }),
  );
}

function keyThatVaries(jobs: readonly Job[]): string | undefined {
  const values = new Map<string, Set<string>>();
  for (const job of jobs) {
    const metadata = metadataOf(job);
    for (const key of Object.keys(metadata).slice(0, maxKeys)) {
      const text = shownText(metadata, key);
      if (text === undefined || (!values.has(key) && values.size === maxKeys)) continue;
      values.set(key, (values.get(key) ?? new Set()).add(text));
    }
  }
  const [best] = [...values].toSorted(([, one], [, other]) => other.size - one.size);
  return best === undefined || best[1].size < 2 ? undefined : best[0];
}

function textAt(job: Job, key: string | undefined): string | undefined {
  return key === undefined ? undefined : shownText(metadataOf(job), key);
}
