import * as vscode from 'vscode';
import { originOf } from '../../../connections/common/connectionInput.ts';
import { formatMoment } from '../../../base/format.ts';
import type { StoredKey } from '../../../connections/node/keyStore.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { askInModal, showMessage } from '../../../platform/editor/messages.ts';
import { pickOne, plainLabel, type Choice } from '../../../platform/editor/quickPick.ts';
import { locale } from '../../../platform/editor/locale.ts';
import type { Services } from '../../../services.ts';

type KeyChoice = { readonly type: 'one'; readonly key: StoredKey } | { readonly type: 'all' };

/** Lists the keys in the secret store, never their values, and deletes one or all. */
export async function showStoredKeys({ keys, settings }: Services): Promise<void> {
  const { l10n } = vscode;
  for (;;) {
    const connections = settings.get('connections');
    const stored = await keys.list();
    if (stored.length === 0) {
      void showMessage('information', l10n.t('No API key is stored.'));
      return;
    }
    const answer = await pickOne<KeyChoice>({
      title: l10n.t('Stored API Keys'),
      placeholder: l10n.t('Select a key to forget it'),
      choices: [
        ...stored.map((key) => keyChoice(key, connections)),
        { label: '', kind: vscode.QuickPickItemKind.Separator },
        { label: `$(clear-all) ${l10n.t('Forget all keys')}`, value: { type: 'all' } },
      ],
      canGoBack: false,
    });
    if (answer.type !== 'picked') return;
    const forgotten = answer.value.type === 'one' ? [answer.value.key] : stored;
    if (await isConfirmed(forgotten)) for (const key of forgotten) await keys.forgetOne(key);
  }
}

function keyChoice(key: StoredKey, connections: readonly Connection[]): Choice<KeyChoice> {
  const { l10n } = vscode;
  const details = [
    staleText(key, connections),
    key.machine === undefined ? undefined : l10n.t('only on {0}', key.machine),
    key.lastUsedAtMs === undefined
      ? l10n.t('never used here')
      : l10n.t('last used {0}', formatMoment(key.lastUsedAtMs, locale)),
  ];
  return {
    label: `$(key) ${plainLabel(key.name)}`,
    description: plainLabel(key.origin),
    detail: plainLabel(details.filter((detail) => detail !== undefined).join(' · ')),
    value: { type: 'one', key },
  };
}

/** Returns the reason why no connection uses a key; undefined if one does. */
function staleText({ name, origin }: StoredKey, connections: readonly Connection[]): string | undefined {
  const connection = connections.find((each) => each.name === name);
  if (connection === undefined) return vscode.l10n.t('no connection has this name');
  const present = originOf(connection.baseUrl);
  return present === origin ? undefined : vscode.l10n.t('the connection now points to {0}', present);
}

async function isConfirmed(keys: readonly StoredKey[]): Promise<boolean> {
  const { l10n } = vscode;
  const [first, ...others] = keys;
  if (first === undefined) return false;
  const forget = l10n.t('Forget');
  const question =
    others.length === 0
      ? l10n.t('Forget the API key of {0} for {1}?', first.name, first.origin)
      : l10n.t('Forget all {0} API keys?', keys.length);
  const detail =
    others.length === 0
      ? l10n.t('It is deleted from the secure storage for all windows.')
      : l10n.t('They are deleted from the secure storage for all windows.');
  return (await askInModal('warning', question, [detail], [forget])) === forget;
}
