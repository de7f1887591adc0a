import { t } from '@vscode/l10n';
import type { Formats } from './formats.ts';
import { fieldRow, valueAt, type ItemObject } from './itemField.ts';
import type { SwitchTable } from './jobView.ts';
import { messageCategories } from './messageCategories.ts';

/** The two sets of nine switches side by side (contract 6); undefined when there is none and `complete` is not asked for. */
export function messageTable(params: ItemObject, complete: boolean, show: Formats): SwitchTable | undefined {
  const present = ['messages_config', 'callback_config'].some((set) =>
    messageCategories().some(({ name }) => valueAt(params.value, `${set}.${name}`) !== undefined),
  );
  if (!complete && !present) return undefined;
  return {
    columns: { category: t('Category'), messages: t('Messages'), callback: t('Callback') },
    rows: messageCategories().map(({ name, title }) => ({
      id: name,
      category: title,
      messages: fieldRow(params, `messages_config.${name}`, title, show.onOff).value,
      callback: fieldRow(params, `callback_config.${name}`, title, show.onOff).value,
    })),
  };
}
