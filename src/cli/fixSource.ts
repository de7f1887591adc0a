import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { terminalLine } from '../base/outsideText.ts';
import { fixSafely, type Recheck } from '../language/quickFixes.ts';
import { parseRequest, type RequestFile } from '../language/request/requestFile.ts';
import { reasonOf, SourceError } from './requestSources.ts';

/** A request file to be fixed. */
interface FixableSource {
  /** Undefined for standard input, whose fixed text goes to the output. */
  readonly path: string | undefined;
  /** Display path. */
  readonly name: string;
  /** As the file has it, a byte order mark included. */
  readonly text: string;
  readonly request: RequestFile;
}

/** What became of a file. */
interface FixedSource {
  readonly isChanged: boolean;
  /** The worst that is left, or would be; undefined when there are neither errors nor warnings. */
  readonly left: 'error' | 'warning' | undefined;
  /** Exact: a diff that applies, or the fixed text of a filter. */
  readonly output: string;
}

/**
 * Fixes what is safe to fix in a file: everything else, its line breaks and comments included, stays as it is.
 * @param isDryRun shows the changes as a unified diff and writes nothing
 * @throws SourceError when the file cannot be written
 */
export function fixSource(
  { path, name, text, request }: FixableSource,
  check: Recheck,
  isDryRun: boolean,
): FixedSource {
  const fixed = fixSafely(request, check);
  const isChanged = fixed.edits.length > 0;
  const severities = check(isChanged ? parseRequest(fixed.text) : request).map(({ severity }) => severity);
  const left = (['error', 'warning'] as const).find((each) => severities.includes(each));
  const written = text.slice(0, text.length - request.text.length) + fixed.text;
  if (isDryRun) return { isChanged, left, output: isChanged ? formatDiff(name, text, written) : '' };
  // A filter passes on what it need not change.
  if (path === undefined) return { isChanged, left, output: written };
  if (!isChanged) return { isChanged, left, output: '' };
  replaceFile(path, name, written);
  return { isChanged, left, output: `${terminalLine(`${name}: fixed`)}\n` };
}

/** A unified diff that `git apply` takes. */
function formatDiff(name: string, before: string, after: string): string {
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}

/** Writes a file as a whole: a full disk leaves it as it was. */
function replaceFile(path: string, name: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    // A link goes on to lead to its file.
    const file = realpathSync(path);
    writeFileSync(beside, text, { flag: 'wx', mode: statSync(file).mode });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new SourceError(`${name} can't be written: ${reasonOf(error)}`);
  }
}
