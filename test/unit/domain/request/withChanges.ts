import type { Change } from '../../../../src/domain/request/finding.ts';
import { makeChangeEdits } from '../../../../src/domain/request/edits.ts';
import { applyEdits } from '../../../../src/domain/request/json/textEdit.ts';
import type { RequestFile } from '../../../../src/domain/request/requestFile.ts';

/** The text of a request after some changes. */
export function withChanges(request: RequestFile, changes: readonly Change[]): string {
  return applyEdits(request.text, makeChangeEdits(request, changes));
}
