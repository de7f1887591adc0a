import { t } from '@vscode/l10n';
import type { RowAction, ViewRow } from '../../src/domain/jobView/jobView.ts';
import type { CopyButtons } from './copyButtons.ts';
import { element, setText } from './element.ts';
import { iconButton } from './iconButton.ts';
import { nameLabel } from './nameLabel.ts';
import type { PageContext } from './pageContext.ts';
import { partList, type Part } from './part.ts';
import { valuePart } from './valuePart.ts';

/** A label and its value, in a `dl`. */
export function rowPart(first: ViewRow, path: string, context: PageContext, copies: CopyButtons): Part<ViewRow> {
  const label = element('dt', { class: first.named ? 'key' : '' }, nameLabel(first.label));
  const value = valuePart(first.value, path, first.label, context);
  const remark = element('span', { class: 'remark' });
  const actions = element('span', { class: 'row-actions' });
  const updateActions = partList<RowAction>(actions, actionKey, (action) => ({
    element: actionButton(action, context, copies),
    update: () => undefined,
  }));
  const update = (row: ViewRow): void => {
    value.update(row.value);
    setText(remark, row.remark ?? '');
    remark.hidden = row.remark === undefined;
    updateActions(row.action === undefined ? [] : [row.action]);
  };
  update(first);
  return {
    element: element('div', { class: 'row' }, label, element('dd', {}, value.element, actions, remark)),
    update,
  };
}

function actionKey(action: RowAction): string {
  return action.type === 'copy' ? action.what : `${action.type} ${action.code}`;
}

function actionButton(action: RowAction, { send }: PageContext, copies: CopyButtons): HTMLButtonElement {
  switch (action.type) {
    case 'copy': {
      const label = action.what === 'id' ? t('Copy id') : t('Copy request id');
      return copies.add(
        action.what,
        iconButton('copy', label, () => copies.ask(action.what)),
      );
    }
    case 'editErrorLabel':
      return iconButton('edit', t('Edit the label of error code {0}', action.code), () =>
        send({ type: 'editErrorLabel', code: action.code }),
      );
  }
}
