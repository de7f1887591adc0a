import { Dirent, readdirSync, statSync, type Stats } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { globSync, isDynamicPattern } from 'tinyglobby';
import { requestGlob } from '../language/requestGlob.ts';
import { IgnoreFiles } from './ignoreFiles.ts';
import { reasonOf } from './readSource.ts';
import { findRepository } from './repository.ts';

/** Operand for standard input. */
export const standardInput = '-';

/** Files that operands match, and problems of operands that match none. */
export interface FoundSources {
  /** Distinct absolute paths in the order of the operands; may include {@link standardInput}. */
  readonly paths: readonly string[];
  /** Operands without files, and folders that cannot be read. */
  readonly problems: readonly string[];
}

const skipped = ['**/node_modules/**', '**/.git/**'];

/**
 * Finds the files that operands match. An operand may be a file, a folder with request files, a glob, standard input, or a glob or folder
 * to exclude, after `!`.
 * @param operands if none includes files, all request files below the folder are found
 * @param usesIgnoreFiles leaves out what `.gitignore` excludes; named files are found anyway
 */
export function findSources(operands: readonly string[], folder: string, usesIgnoreFiles: boolean): FoundSources {
  const search = new SourceSearch(folder, usesIgnoreFiles);
  const excluding = operands.filter((operand) => operand.startsWith('!') && !search.hasEntry(operand));
  const including = operands.filter((operand) => !excluding.includes(operand));
  const paths = new Set((including.length === 0 ? ['.'] : including).flatMap((operand) => search.find(operand)));
  for (const operand of excluding) for (const path of search.findExcluded(operand.slice(1))) paths.delete(path);
  return { paths: [...paths], problems: search.problems };
}

class SourceSearch {
  readonly problems: string[] = [];
  readonly #folder: string;
  readonly #usesIgnoreFiles: boolean;

  constructor(folder: string, usesIgnoreFiles: boolean) {
    this.#folder = folder;
    this.#usesIgnoreFiles = usesIgnoreFiles;
  }

  /** True if an operand names a file or folder. Its name may look like a glob. */
  hasEntry(operand: string): boolean {
    return this.#statOf(operand) instanceof Object;
  }

  /** Returns the files that an operand matches. If there are none, adds a problem. */
  find(operand: string): readonly string[] {
    if (operand === standardInput) return [standardInput];
    const entry = this.#statOf(operand);
    const path = resolve(this.#folder, operand);
    if (entry instanceof Object) return entry.isDirectory() ? this.#below(operand, path) : [path];
    if (isDynamicPattern(operand)) return this.#matching(operand);
    this.problems.push(`${operand} can't be read: ${entry}`);
    return [];
  }

  findExcluded(operand: string): readonly string[] {
    // Whatever else is ignored is excluded anyway.
    return this.#glob(slashes(operand), this.#folder, { expandsFolders: true, ignored: () => false });
  }

  #below(operand: string, path: string): readonly string[] {
    const found = this.#searched(requestGlob, path);
    if (found.paths.length === 0)
      this.problems.push(`there is no request file (*.transcription.json) below ${operand}${found.hint}`);
    return found.paths;
  }

  #matching(operand: string): readonly string[] {
    const found = this.#searched(slashes(operand), this.#folder);
    if (found.paths.length === 0) this.problems.push(`no file matches ${operand}${found.hint}`);
    return found.paths;
  }

  #searched(pattern: string, folder: string): { readonly paths: readonly string[]; readonly hint: string } {
    const rules = new IgnoreFiles(findRepository(folder) ?? folder, (problem) => this.problems.push(problem));
    let count = 0;
    const ignored = (path: string, isFolder: boolean): boolean => {
      const isIgnored = this.#usesIgnoreFiles && rules.ignores(path, isFolder);
      if (isIgnored) count++;
      return isIgnored;
    };
    const paths = this.#glob(pattern, folder, { expandsFolders: false, ignored });
    return { paths, hint: count > 0 ? '; .gitignore excludes files there, which --no-ignore includes' : '' };
  }

  #glob(pattern: string, folder: string, { expandsFolders, ignored }: GlobChoice): readonly string[] {
    const listFolder = (target: typeof readdirSync, self: unknown, given: unknown[]): unknown => {
      const path = String(given[0]);
      try {
        const entries: unknown = Reflect.apply(target, self, given);
        const isListed = (entry: unknown): boolean =>
          !(entry instanceof Dirent && ignored(join(path, String(entry.name)), entry.isDirectory()));
        return Array.isArray(entries) ? entries.filter(isListed) : entries;
      } catch (error) {
        this.problems.push(`${path} can't be read: ${reasonOf(error)}`);
        return [];
      }
    };
    const found = globSync(pattern, {
      cwd: folder,
      ignore: skipped,
      dot: true,
      absolute: true,
      followSymbolicLinks: false,
      expandDirectories: expandsFolders,
      // The library skips folders that cannot be read, without a word.
      fs: { readdirSync: new Proxy(readdirSync, { apply: listFolder }) },
    });
    return found.map((path) => resolve(path)).sort();
  }

  /** @returns what a name stands for, or a sentence that describes why there is nothing */
  #statOf(operand: string): Stats | string {
    try {
      return statSync(resolve(this.#folder, operand));
    } catch (error) {
      return reasonOf(error);
    }
  }
}

interface GlobChoice {
  /** True if a pattern that names a folder matches all files in it. */
  readonly expandsFolders: boolean;
  readonly ignored: (path: string, isFolder: boolean) => boolean;
}

/** Returns a glob with the separators of globs. */
function slashes(operand: string): string {
  return sep === '\\' ? operand.replaceAll('\\', '/') : operand;
}
