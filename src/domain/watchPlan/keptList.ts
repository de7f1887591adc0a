import { attempt, formVersion, list, record, Undecodable, type Decoder } from '../decoder.ts';

/** How a list is kept for the next session. */
export interface KeptList<T> {
  /** The form in which it is kept; undefined when it is empty. */
  readonly form: (jobs: readonly T[]) => object | undefined;
  /** Reads what an earlier session kept; undefined when it cannot be understood. */
  readonly read: (value: unknown) => readonly T[] | undefined;
}

/** A list that is kept with the number of its form: another form gets another version, so that an older program leaves it alone. */
export function keptList<T>(version: number, item: Decoder<T>): KeptList<T> {
  const decode = record({ version: formVersion(version), jobs: list(item) });
  return {
    form: (jobs) => (jobs.length === 0 ? undefined : { version, jobs }),
    read: (value) => {
      const decoded = attempt(decode, value);
      return decoded instanceof Undecodable ? undefined : decoded.jobs;
    },
  };
}
