import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createTwoFilesPatch } from 'diff';
import { oneLine, terminalLine, terminalLines } from '../domain/outsideText.ts';
import { fixSafely, type Recheck } from '../domain/request/quickFixes.ts';
import { parseRequest, type RequestFile } from '../domain/request/requestFile.ts';
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
  /** Errors or warnings are left, or would be. */
  readonly isUnsettled: boolean;
  /** For the terminal. */
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
  const left = check(isChanged ? parseRequest(fixed.text) : request);
  const isUnsettled = left.some(({ severity }) => severity === 'error' || severity === 'warning');
  const written = text.slice(0, text.length - request.text.length) + fixed.text;
  if (isDryRun) return { isChanged, isUnsettled, output: isChanged ? formatDiff(name, text, written) : '' };
  // A filter passes on what it need not change.
  if (path === undefined) return { isChanged, isUnsettled, output: written };
  if (!isChanged) return { isChanged, isUnsettled, output: '' };
  replaceFile(path, name, written);
  return { isChanged, isUnsettled, output: `${terminalLine(`${name}: fixed`)}\n` };
}

function formatDiff(name: string, before: string, after: string): string {
  const shown = oneLine(name, 1000);
  const patch = createTwoFilesPatch(`a/${shown}`, `b/${shown}`, before, after);
  return `${terminalLines(patch.replace(/^=+\n/u, '').trimEnd())}\n`;
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
