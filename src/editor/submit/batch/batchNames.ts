/** Scheme of the read-only documents that tell of batches. */
export const batchScheme = 'transcription-batch';

/** Not for people: links in those documents call it with the id of a job. */
export const openSubmittedJobCommand = '_transcriptionJobs.openSubmittedJob';

/** What a batch that is being sent is called in `SubmitRoom.busy`. */
export function busyBatch(id: string): string {
  return `batch ${id}`;
}
