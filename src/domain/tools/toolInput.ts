import {
  attempt,
  dictionary,
  list,
  number,
  optional,
  record,
  text,
  Undecodable,
  word,
  type Decoder,
} from '../decoder.ts';
import { dateTimeMs } from '../time/dateTime.ts';
import { jobKinds, jobStatuses } from '../job.ts';

/** What each tool is given, as `languageModelTools` in `package.json` describes it. A model wrote it: it is decoded. */
export const toolInputs = {
  listJobs: record({
    kind: word(...jobKinds),
    statuses: optional(list(word(...jobStatuses))),
    createdAfter: optional(instant),
    createdBefore: optional(instant),
    metadata: optional(dictionary(text)),
    limit: optional(number),
  }),
  getJob: record({ kind: word(...jobKinds), id: text }),
  checkRequest: record({ request: text }),
  submitRequest: record({ request: text }),
} as const;
export type ToolName = keyof typeof toolInputs;
export type ToolInput<N extends ToolName> = ReturnType<(typeof toolInputs)[N]>;

/** Reads a tool's input. @throws Undecodable with a sentence that tells the model what was expected. */
export function readToolInput<N extends ToolName>(name: N, given: unknown): ToolInput<N> {
  const read = attempt<unknown>(toolInputs[name], given);
  if (read instanceof Undecodable) throw read;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- read by the decoder of this very name
  return read as ToolInput<N>;
}

/** The most jobs that one answer lists. */
const mostListed = 50;

/** How many jobs to ask for: what the model wants, within 1 to {@link mostListed}. */
export function listLimit(wanted: number | undefined): number {
  return Math.min(mostListed, Math.max(1, Math.trunc(wanted ?? 20) || 1));
}

function instant(...[value, path = '']: Parameters<Decoder<string>>): string {
  const atMs = dateTimeMs(text(value, path));
  if (atMs === undefined) throw new Undecodable(`${path}: expected an ISO 8601 date-time`);
  return new Date(atMs).toISOString();
}
