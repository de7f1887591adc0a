import { lstatSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import ignore from 'ignore';
import { readSource, reasonOf, SourceError, withoutMark } from './readSource.ts';

/** Systems whose file names usually have no case, as Git assumes there. */
const ignoresCase = process.platform === 'win32' || process.platform === 'darwin';

// A rule with more ** would take long to match deep folders that were made for that.
const maxAnyFolders = 3;
const maxDepth = 40;

/** Rules of the `.gitignore` files of a repository. Reads each file when the first name in its folder is asked for. */
export class IgnoreFiles {
  readonly #root: string;
  readonly #report: (problem: string) => void;
  // One list for all folders: a rule of an inner folder can take back one of an outer folder.
  readonly #rules = ignore({ ignoreCase: ignoresCase });
  readonly #read = new Set<string>();

  /** @param report is called for each file or rule that cannot be used */
  constructor(root: string, report: (problem: string) => void) {
    this.#root = root;
    this.#report = report;
  }

  /** True if Git would ignore the file or folder. False far below the root. */
  ignores(path: string, isFolder: boolean): boolean {
    const name = this.#nameOf(path);
    if (name === '' || name.startsWith('../') || isAbsolute(name) || name.split('/').length > maxDepth) return false;
    this.#load(dirname(path));
    return this.#rules.ignores(isFolder ? `${name}/` : name);
  }

  #nameOf(path: string): string {
    return relative(this.#root, path).split(sep).join('/');
  }

  /** Reads the rules of a folder after those of the folders above it. */
  #load(folder: string): void {
    if (this.#read.has(folder)) return;
    this.#read.add(folder);
    if (folder !== this.#root) this.#load(dirname(folder));
    const name = this.#nameOf(join(folder, '.gitignore'));
    try {
      for (const [index, line] of readLines(join(folder, '.gitignore'), name).entries()) {
        if (line.split('**').length - 1 <= maxAnyFolders) this.#rules.add(moveRule(line, this.#nameOf(folder)));
        else this.#report(`${name}:${index + 1}: this rule has more than ${maxAnyFolders} ** and is left out`);
      }
    } catch (error) {
      this.#report(error instanceof SourceError ? error.message : `${name} can't be read: ${reasonOf(error)}`);
    }
  }
}

function readLines(path: string, name: string): readonly string[] {
  // Like Git, which follows no link here.
  if (lstatSync(path, { throwIfNoEntry: false })?.isFile() !== true) return [];
  return withoutMark(readSource(path, name)).split(/\r?\n/u);
}

/** Rewrites a rule of a folder's `.gitignore` as a rule of the root's. */
function moveRule(line: string, folder: string): string {
  if (folder === '' || line.trim() === '' || line.startsWith('#')) return line;
  const isNegative = line.startsWith('!');
  const pattern = isNegative ? line.slice(1) : line;
  const isAnchored = pattern.trimEnd().slice(0, -1).includes('/');
  const base = folder.replaceAll(/[\\*?[\]!# ]/gu, String.raw`\$&`);
  return `${isNegative ? '!' : ''}/${base}/${isAnchored ? pattern.replace(/^\//u, '') : `**/${pattern}`}`;
}
