import { createHash } from 'node:crypto';
import { WorkSlices, type Clock } from '../../../base/clock.ts';
import { digest } from '../../../base/digest.ts';
import { claimMs, type DeliveryPlan, type RecordedFile, type Wanted } from '../common/delivery.ts';
import { chooseFreeNames, fileNameKey, type NumberedName } from '../../../jobs/common/transcriptName.ts';
import type { TranscriptFormat } from '../../../jobs/common/transcriptFormats.ts';
import type { DeliveryStore } from './deliveryStore.ts';

/** A folder in which files are created, and none is replaced. Errors are those of the file system. */
export interface DeliveryFolder {
  names(): Promise<readonly string[]>;
  /** Returns the content of a file; undefined if there is none. */
  read(name: string): Promise<Uint8Array | undefined>;
  /** Creates a file with a name that nobody else uses. */
  write(name: string, content: Uint8Array): Promise<void>;
  /** Returns false if there is something with the new name. */
  rename(from: string, to: string): Promise<boolean>;
  /** Does nothing if there is no such file. */
  remove(name: string): Promise<void>;
}

/** A file of a job. */
export interface DeliveryFile {
  readonly format: TranscriptFormat;
  readonly language: string;
  /** UTF-8. */
  readonly bytes: Uint8Array;
  readonly nameOf: NumberedName;
}

/** The files of a job that are wanted. Undefined if the job has no result. */
export type DeliveryContent =
  | {
      readonly files: readonly DeliveryFile[];
      /** Sentences about what is missing, or differs from what the service sent. */
      readonly remarks: readonly string[];
    }
  | undefined;

/** Outcome of an attempt to deliver the files of a job. */
export type DeliveryOutcome =
  /** @param names of the files that are in the folder now; empty if nothing of the result can be saved */
  | { readonly type: 'delivered'; readonly names: readonly string[] }
  /** @param isKnown true if it was reported before that the service sends no results */
  | { readonly type: 'noResult'; readonly isKnown: boolean }
  /** It was delivered before. */
  | { readonly type: 'ended' }
  /** Another window is writing the files. */
  | { readonly type: 'claimed' }
  | { readonly type: 'failed'; readonly error: unknown };

/** Dependencies of {@link Deliverer}. */
export interface DelivererDeps {
  readonly store: DeliveryStore;
  readonly clock: Pick<Clock, 'now'>;
  /** Opens the folder of a plan, and creates it if necessary. @throws if it is not where the plan allows it */
  readonly openFolder: (plan: DeliveryPlan) => Promise<DeliveryFolder>;
  /** True if it was reported before that the service of a job sends no results. Never by default. */
  readonly isKnownWithoutResults?: (wanted: Wanted) => boolean;
}

/** Names may be taken by others between the choice of a name and its use, but not that often. */
const maxTries = 50;

/**
 * Writes the files of a job once, in any number of windows and after crashes: the name and hash of a file are recorded
 * before the file gets its name. A file with a recorded name and hash is the delivered one.
 */
export class Deliverer {
  readonly #deps: DelivererDeps;

  constructor(deps: DelivererDeps) {
    this.#deps = deps;
  }

  /** @param makeContent creates the files; called at most once. */
  async deliver(wanted: Wanted, makeContent: () => Promise<DeliveryContent>): Promise<DeliveryOutcome> {
    const { store, clock, openFolder } = this.#deps;
    try {
      if ((await store.read(wanted.job)).ended !== undefined) return { type: 'ended' };
      const claimedAtMs = clock.now();
      if (!(await store.claim(wanted))) return { type: 'claimed' };
      // Another window may have ended the delivery before the claim.
      if ((await store.read(wanted.job)).ended !== undefined) return { type: 'ended' };
      try {
        const content = await makeContent();
        if (content === undefined) {
          const isKnown = this.#deps.isKnownWithoutResults?.(wanted) ?? false;
          await store.end(wanted, { type: 'noResult', isKnown });
          return { type: 'noResult', isKnown };
        }
        const { files, remarks } = content;
        const untilMs = claimedAtMs + claimMs / 2;
        const names =
          files.length === 0 ? [] : await this.#writeAll(wanted, await openFolder(wanted.plan), files, untilMs);
        await store.end(wanted, { type: 'saved', remarks });
        return { type: 'delivered', names };
      } catch (error) {
        await store.release(wanted);
        throw error;
      }
    } catch (error) {
      return { type: 'failed', error };
    }
  }

  /** @param untilMs end of the time in which the claim is certainly valid */
  async #writeAll(
    wanted: Wanted,
    folder: DeliveryFolder,
    files: readonly DeliveryFile[],
    untilMs: number,
  ): Promise<readonly string[]> {
    const { store } = this.#deps;
    const { job, group, plan } = wanted;
    const names: string[] = [];
    let left = await this.#missingFiles(wanted, folder, files, names);
    for (let tries = 1; left.length > 0; tries++) {
      if (tries > maxTries) throw new Error('no free name was found');
      const onDisk = new Set((await folder.names()).map(fileNameKey));
      const { owners } = await store.readFolder(job, digest(plan.folder));
      const chosen = chooseFreeNames(
        left.map(({ file }) => file.nameOf),
        (name) => onDisk.has(fileNameKey(name)) || (owners.get(fileNameKey(name)) ?? job) !== job,
      );
      const recorded = left.flatMap(({ file: { format, language, nameOf }, hash }, index): readonly RecordedFile[] => {
        const name = chosen[index];
        const common = { job, group, run: store.run, folder: digest(plan.folder) };
        const isNumbered = name !== nameOf(1);
        return name === undefined ? [] : [{ type: 'file', ...common, name, hash, format, language, isNumbered }];
      });
      await store.recordFiles(wanted, recorded);
      const after = await store.readFolder(job, digest(plan.folder));
      const taken: FileWithHash[] = [];
      for (const [index, each] of left.entries()) {
        const file = recorded[index];
        if (file === undefined) continue;
        // Another job may have recorded the name first.
        const isOurs = after.owners.get(fileNameKey(file.name)) === job;
        if (isOurs && (await this.#place(folder, file, each.file.bytes, untilMs))) names.push(file.name);
        else taken.push(each);
      }
      left = taken;
    }
    return names;
  }

  /** Returns the files that an earlier attempt did not write, and adds the names of the others. Deletes its temporary files. */
  async #missingFiles(
    { job, plan }: Wanted,
    folder: DeliveryFolder,
    files: readonly DeliveryFile[],
    names: string[],
  ): Promise<readonly FileWithHash[]> {
    const { files: recorded } = await this.#deps.store.read(job);
    const earlier = recorded.filter((each) => each.folder === digest(plan.folder));
    for (const each of earlier) await folder.remove(temporaryName(each));
    const missing: FileWithHash[] = [];
    const slices = new WorkSlices();
    for (const file of files) {
      await slices.rest();
      const delivered = await findDelivered(
        folder,
        earlier.filter(({ format, language }) => format === file.format && language === file.language),
      );
      if (delivered === undefined) missing.push({ file, hash: hashOf(file.bytes) });
      else names.push(delivered.name);
    }
    return missing;
  }

  /** Writes a file beside its place and renames it. Returns false if its name is in use. */
  async #place(folder: DeliveryFolder, file: RecordedFile, bytes: Uint8Array, untilMs: number): Promise<boolean> {
    const temporary = temporaryName(file);
    try {
      await folder.write(temporary, bytes);
      if (this.#deps.clock.now() > untilMs) throw new Error('writing took too long');
      if (await folder.rename(temporary, file.name)) return true;
    } catch (error) {
      // The original error counts; the next attempt deletes the file, too.
      await folder.remove(temporary).catch(() => undefined);
      throw error;
    }
    await folder.remove(temporary);
    return false;
  }
}

interface FileWithHash {
  readonly file: DeliveryFile;
  readonly hash: string;
}

async function findDelivered(
  folder: DeliveryFolder,
  recorded: readonly RecordedFile[],
): Promise<RecordedFile | undefined> {
  for (const each of recorded) {
    const content = await folder.read(each.name);
    if (content !== undefined && hashOf(content) === each.hash) return each;
  }
  return undefined;
}

/** Returns a name that only this file of this window uses. */
function temporaryName({ job, run, format, language }: RecordedFile): string {
  return `.transcript-${digest(JSON.stringify([job, run, format, language])).slice(0, 24)}.partial`;
}

function hashOf(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
