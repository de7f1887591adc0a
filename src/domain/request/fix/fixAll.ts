import { changeEdits } from './changeEdits.ts';
import type { Change, Finding, Fix } from '../finding.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import { updateRequest, type RequestFile } from '../requestFile.ts';
import { applyEdits, editBetween, type TextEdit } from '../json/textRange.ts';

/** More rounds than any request needs: a fix may lay one other bare, which is then fixed in the next round. */
const roundLimit = 20;

export interface FixedRequest {
  readonly text: string;
  /** Edits of the text as it was that make this one. */
  readonly edits: readonly TextEdit[];
}

/**
 * Applies the fixes of all findings, and of those that come to light by them.
 * @param check the findings of a request, at each call the same for the same request
 * @param choose the fix to apply to a finding, if any
 */
export function fixAll(
  request: RequestFile,
  check: (request: RequestFile) => readonly Finding[],
  choose: (finding: Finding) => Fix | undefined,
): FixedRequest {
  let current = request;
  let edits: readonly TextEdit[] = [];
  for (let round = 0; round < roundLimit && current.problems.length === 0; round++) {
    const changes = compatibleChanges(check(current).map(choose));
    if (changes.length === 0) break;
    const roundEdits = changeEdits(current, changes);
    current = updateRequest(current, applyEdits(current.text, roundEdits));
    edits = round === 0 ? roundEdits : asOneEdit(request.text, current.text);
  }
  return { text: current.text, edits };
}

function asOneEdit(before: string, after: string): readonly TextEdit[] {
  const edit = editBetween(before, after);
  return edit ? [edit] : [];
}

/** The best fix that takes back nothing of what somebody has written in so many words. */
export function anyFix({ fixes }: Finding): Fix | undefined {
  return fixes?.find(({ isChoice }) => isChoice !== true);
}

/** The best fix that leaves the request what it is. */
export function safeFix({ fixes }: Finding): Fix | undefined {
  return fixes?.find(({ safe }) => safe);
}

/** The changes of those fixes that do not touch what an earlier fix has touched. */
function compatibleChanges(fixes: readonly (Fix | undefined)[]): readonly Change[] {
  const touched = new Set<string>();
  const around = new Set<string>();
  return fixes.flatMap((fix) => {
    if (!fix || fix.changes.some(({ path }) => collides(path, touched, around))) return [];
    for (const { path } of fix.changes) {
      touched.add(JSON.stringify(path));
      for (const outer of prefixes(path)) around.add(outer);
    }
    return fix.changes;
  });
}

function collides(path: JsonPath, touched: ReadonlySet<string>, around: ReadonlySet<string>): boolean {
  return around.has(JSON.stringify(path)) || prefixes(path).some((outer) => touched.has(outer));
}

/** Keys of the path and of all paths that lead to it. */
function prefixes(path: JsonPath): readonly string[] {
  return path.map((_, index) => JSON.stringify(path.slice(0, index + 1)));
}
