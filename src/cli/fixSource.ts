import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff';
import { terminalLine } from '../base/outsideText.ts';
import type { RequestFile } from '../language/request/requestFile.ts';
import type { RequestLanguage } from '../language/requestLanguage.ts';
import { reasonOf, SourceError } from './requestSources.ts';

/** A request file to fix. */
interface FixableSource {
  /** Undefined for standard input; its fixed text is written to the output. */
  readonly path: string | undefined;
  /** Display path. */
  readonly name: string;
  /** Exact text of the file, including a byte order mark. */
  readonly text: string;
  readonly request: RequestFile;
}

/** Result of fixing a file. */
interface FixedSource {
  readonly isChanged: boolean;
  /** Highest severity of the remaining findings; undefined if there are neither errors nor warnings. In a dry run: after the changes. */
  readonly left: 'error' | 'warning' | undefined;
  /** Exact output: a diff that can be applied, or the fixed text of standard input. */
  readonly output: string;
}

/**
 * Applies the safe fixes to a file. Everything else stays unchanged, including line breaks and comments.
 * @param isDryRun shows the changes as a unified diff and writes nothing
 * @throws SourceError if the file cannot be written
 */
export function fixSource(
  { path, name, text, request }: FixableSource,
  language: RequestLanguage,
  isDryRun: boolean,
): FixedSource {
  const fixed = language.fix(request);
  const isChanged = fixed.edits.length > 0;
  const severities = language.check(isChanged ? language.parse(fixed.text) : request).map(({ severity }) => severity);
  const left = (['error', 'warning'] as const).find((each) => severities.includes(each));
  const written = text.slice(0, text.length - request.text.length) + fixed.text;
  if (isDryRun) return { isChanged, left, output: isChanged ? formatDiff(name, text, written) : '' };
  // Output the text even if it is unchanged, because the command is used as a filter.
  if (path === undefined) return { isChanged, left, output: written };
  if (!isChanged) return { isChanged, left, output: '' };
  replaceFile(path, name, written);
  return { isChanged, left, output: `${terminalLine(`${name}: fixed`)}\n` };
}

/** Formats a unified diff that `git apply` accepts. */
function formatDiff(name: string, before: string, after: string): string {
  const options = { headerOptions: FILE_HEADERS_ONLY };
  return createTwoFilesPatch(`a/${name}`, `b/${name}`, before, after, undefined, undefined, options);
}

/** Replaces a file atomically: if the disk is full, the file stays unchanged. */
function replaceFile(path: string, name: string, text: string): void {
  const beside = `${path}.${process.pid}.tmp`;
  try {
    // Write to the target of a symbolic link, so that the link stays.
    const file = realpathSync(path);
    writeFileSync(beside, text, { flag: 'wx', mode: statSync(file).mode });
    renameSync(beside, file);
  } catch (error) {
    rmSync(beside, { force: true });
    throw new SourceError(`${name} can't be written: ${reasonOf(error)}`);
  }
}
