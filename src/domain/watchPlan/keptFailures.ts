import { text } from '../decoder.ts';
import { keptList } from './keptList.ts';

/** Watched jobs that failed unseen, by `watchKey`, as they are kept for the next session. */
export const keptFailures = keptList(1, text);
