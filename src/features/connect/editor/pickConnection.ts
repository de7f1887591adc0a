import * as vscode from 'vscode';
import { plainLabel } from '../../../platform/editor/quickPick.ts';
import { keyVariable, type Connection } from '../../../connections/common/connection.ts';
import type { KeyStore } from '../../../connections/node/keyStore.ts';

/** The user's choice in the list of connections. */
export type ConnectionPick =
  | { readonly type: 'use'; readonly name: string }
  | { readonly type: 'edit'; readonly connection: Connection }
  | { readonly type: 'remove'; readonly connection: Connection }
  | { readonly type: 'add' };

interface PickItem extends vscode.QuickPickItem {
  readonly pick?: ConnectionPick;
  /** For the item's buttons. */
  readonly connection?: Connection;
}

/** Shows the connections with the current one active, the sample service, and actions to add, edit and remove. */
export async function pickConnection(
  connections: readonly Connection[],
  sample: Connection,
  current: Connection | undefined,
  keys: KeyStore,
): Promise<ConnectionPick | undefined> {
  const { l10n } = vscode;
  const editButton = { iconPath: new vscode.ThemeIcon('edit'), tooltip: l10n.t('Edit') };
  const removeButton = { iconPath: new vscode.ThemeIcon('trash'), tooltip: l10n.t('Remove') };
  const own = await Promise.all(
    connections.map(async (connection): Promise<PickItem> => ({
      ...(await connectionItem(connection, current, keys)),
      connection,
      pick: { type: 'use', name: connection.name },
      buttons: [editButton, removeButton],
    })),
  );
  const box = vscode.window.createQuickPick<PickItem>();
  box.title = l10n.t('Switch Connection');
  box.placeholder = l10n.t('Select the service to use');
  box.matchOnDescription = true;
  box.items = [
    ...own,
    {
      label: sample.name,
      description: l10n.t('built-in sample jobs'),
      iconPath: new vscode.ThemeIcon('beaker'),
      ...(sample.name === current?.name && { detail: l10n.t('in use') }),
      pick: { type: 'use', name: sample.name },
    },
    { label: '', kind: vscode.QuickPickItemKind.Separator },
    { label: l10n.t('Connect to a Service…'), iconPath: new vscode.ThemeIcon('add'), pick: { type: 'add' } },
  ];
  box.activeItems = box.items.filter(({ pick }) => pick?.type === 'use' && pick.name === current?.name);
  try {
    return await new Promise((resolve) => {
      box.onDidAccept(() => resolve(box.selectedItems[0]?.pick));
      box.onDidTriggerItemButton(({ item: { connection }, button }) => {
        if (connection !== undefined) resolve({ type: button === editButton ? 'edit' : 'remove', connection });
      });
      box.onDidHide(() => resolve(undefined));
      box.show();
    });
  } finally {
    box.dispose();
  }
}

/** Lets the user select a connection; undefined when the user selects none. */
export async function pickOwnConnection(
  placeHolder: string,
  connections: readonly Connection[],
  current: Connection | undefined,
  keys: KeyStore,
): Promise<Connection | undefined> {
  const items = await Promise.all(
    connections.map(async (connection) => ({
      ...(await connectionItem(connection, current, keys)),
      connection,
    })),
  );
  return (await vscode.window.showQuickPick(items, { placeHolder, matchOnDescription: true }))?.connection;
}

async function connectionItem(
  connection: Connection,
  current: Connection | undefined,
  keys: KeyStore,
): Promise<vscode.QuickPickItem> {
  const { l10n } = vscode;
  const keyHome = (await keys.find(connection))?.from;
  const remarks = [
    ...(connection.name === current?.name ? [l10n.t('in use')] : []),
    ...(keyHome === undefined ? [l10n.t('no API key yet')] : []),
    ...(keyHome === 'environment' ? [l10n.t('API key from the environment variable {0}', keyVariable)] : []),
  ];
  return {
    label: plainLabel(connection.name),
    description: plainLabel(connection.baseUrl),
    iconPath: new vscode.ThemeIcon('plug'),
    ...(remarks.length > 0 && { detail: remarks.join(' · ') }),
  };
}
