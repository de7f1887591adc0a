import * as vscode from 'vscode';
import { audioAddressOf } from '../../../jobs/common/audioAddress.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { askInModal, UserError } from '../../../platform/editor/messages.ts';
import type { CurrentFacts } from '../../../jobs/editor/currentFacts.ts';

/**
 * Opens the audio of a job in the browser, after a confirmation that names its host. Fetches nothing itself.
 * @throws UserError when the item has no audio address that can be opened
 */
export async function openAudio(job: Job, facts: CurrentFacts): Promise<void> {
  const { l10n } = vscode;
  const audio = audioAddressOf(job);
  if (audio === undefined) {
    throw new UserError(l10n.t('The service sent no web address for the audio of {0}.', facts.titleOf(job)));
  }
  const open = l10n.t('Open');
  const question = l10n.t('Open the audio of {0} in the browser?', facts.titleOf(job));
  const lines = [l10n.t('Host: {0}', audio.host), l10n.t('Address: {0}', audio.label)];
  if ((await askInModal('information', question, lines, [open])) === open) await openWebAddress(audio.href);
}

/** Opens a link of a webview after the editor's own confirmation. Accepts only http and https, because webview content is not trusted. */
export async function openWebAddress(address: string): Promise<void> {
  const { protocol, href } = URL.canParse(address) ? new URL(address) : { protocol: '', href: '' };
  if (protocol !== 'http:' && protocol !== 'https:') return;
  // Passes a string, which the editor opens unchanged: its `Uri` decodes escapes, which breaks signatures (microsoft/vscode#85930).
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- declared more narrowly than it is
  await vscode.env.openExternal(href as unknown as vscode.Uri);
}
