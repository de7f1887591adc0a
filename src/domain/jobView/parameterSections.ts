import { t } from '@vscode/l10n';
import type { Formats } from './formats.ts';
import { fieldRow, valueAt, type ItemObject } from './itemField.ts';
import type { ViewGroup, ViewRow, ViewSection } from './jobView.ts';
import { messageTable } from './messageTable.ts';
import { languageNotes, messageNotes } from './parameterNotes.ts';
import { callbackParameters, parameterGroups, type Parameter } from './parameterGroups.ts';
import { plainSection } from './plainSection.ts';

/**
 * The parameters of a job, by group, and its message switches (contract 2.3, 6).
 * @param params its `request_params`.
 * @param complete show every parameter of the contract, absent ones as a dash: right for live jobs, which have them all.
 *   Otherwise only what is there, for pre-recorded jobs whose service echoes parameters too.
 */
export function parameterSections(params: ItemObject, complete: boolean, show: Formats): readonly ViewSection[] {
  const rowsOf = (parameters: readonly Parameter[]): readonly ViewRow[] =>
    parameters
      .filter(({ path }) => complete || valueAt(params.value, path) !== undefined)
      .map(({ path, label, format }) => fieldRow(params, path, label, format));
  const groups: readonly ViewGroup[] = parameterGroups(show)
    .map(({ id, title, parameters }) => ({ id, title, rows: rowsOf(parameters) }))
    .filter(({ rows }) => rows.length > 0);
  const callback = rowsOf(callbackParameters(show));
  const switches = messageTable(params, complete, show);
  const sections: ViewSection[] = [];
  if (groups.length > 0) {
    sections.push({ ...plainSection('parameters', t('Parameters'), []), groups, notes: languageNotes(params.value) });
  }
  if (callback.length > 0 || switches !== undefined) {
    const plain = plainSection('messages', t('Messages and callback'), callback);
    sections.push({ ...plain, switches, notes: messageNotes(params.value) });
  }
  return sections;
}
