import { jobKinds, type Job } from '../../domain/jobs/job.ts';
import { isUnfiltered } from '../../domain/filter/jobFilter.ts';
import type { ListQuestion } from '../../service/list/jobPager.ts';
import type { JobStore } from '../../service/store/jobStore.ts';
import type { BrowseNeeds } from './browseNeeds.ts';
import { FindPick } from './findPick.ts';

/** Asks which job is looked for, shows what fits as one types, and opens what is picked. */
export function findJob(needs: BrowseNeeds): FindPick {
  const { log, store, source, facts } = needs;
  return new FindPick({
    log,
    jobs: store.jobs(),
    isFiltered: !isUnfiltered(store.filter),
    source,
    questions: (filtered) => questionsOf(store, filtered),
    facts: facts(),
    pick: (job) => show(needs, job),
  });
}

/** The lists of all kinds, within the filter or all of them. */
async function questionsOf(store: JobStore, filtered: boolean): Promise<readonly ListQuestion[]> {
  const questions = await Promise.all(jobKinds.map((kind) => store.questionOf({ kind, status: undefined })));
  return questions.map((question) => {
    if (filtered) return question;
    const { kinds } = question.params;
    return { ...question, params: kinds === undefined ? {} : { kinds } };
  });
}

async function show({ store, reveal, openJob }: BrowseNeeds, found: Job): Promise<void> {
  const loaded = store.get(found.kind, found.id);
  openJob(loaded ?? found);
  if (loaded !== undefined) await reveal(loaded);
}
