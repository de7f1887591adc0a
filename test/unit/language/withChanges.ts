import type { Change } from '../../../src/language/request/finding.ts';
import { makeChangeEdits } from '../../../src/language/edits.ts';
import { applyEdits } from '../../../src/language/json/textEdit.ts';
import type { RequestFile } from '../../../src/language/request/requestFile.ts';

/** The text of a request after some changes. */
export function withChanges(request: RequestFile, changes: readonly Change[]): string {
  return applyEdits(request.text, makeChangeEdits(request, changes));
}
