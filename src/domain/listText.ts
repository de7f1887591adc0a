import { t } from '@vscode/l10n';
import { kindText, statusOf } from './jobView/statusText.ts';
import type { ListKey } from './listKey.ts';

/** A list in words: "Pre-recorded, Done", or the kind alone when it holds every status. */
export function listKeyText({ kind, status }: ListKey): string {
  return status === undefined ? kindText(kind) : t('{0}, {1}', kindText(kind), statusOf(status).text);
}
