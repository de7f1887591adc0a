import * as vscode from 'vscode';
import { originOf } from '../../../connections/common/connectionInput.ts';
import type { Job } from '../../../jobs/common/job.ts';
import { readJobLink, type JobLink } from '../../../jobs/common/jobLink.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { systemClock, type Clock } from '../../../base/clock.ts';
import { DisposableOwner } from '../../../base/disposable.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { useConnection } from '../../../connections/editor/useConnection.ts';
import { commandIds } from '../../../platform/editor/ids.ts';
import { askInModal, commandStep, UserError } from '../../../platform/editor/messages.ts';
import { withCancel } from '../../../platform/editor/progress.ts';
import { pickOne, plainLabel } from '../../../platform/editor/quickPick.ts';
import { runCommand } from '../../../platform/editor/runCommand.ts';
import type { Services } from '../../../services.ts';
import type { ActiveConnection } from '../../../connections/editor/activeConnection.ts';

/** Maximum time, in milliseconds, to wait until the new connection is in use: reading its key may take a while. */
const maxSwitchMs = 30_000;

/**
 * Opens the job of a link from an untrusted source. Sends one request, over a connection of the user with the link's origin; none if there
 * is no such connection or the link does not decode.
 * @throws UserError when the link is rejected or the job is not found; Failure when the request fails
 */
export async function openJobLink(
  uri: vscode.Uri,
  services: Services,
  openJob: (job: Job) => unknown,
  clock: Clock = systemClock,
): Promise<void> {
  const { l10n } = vscode;
  const link = readJobLink(uri);
  if (link === undefined) {
    throw new UserError(
      l10n.t("This link doesn't lead to a job. Copy it again with Copy Link to Job and open the complete link."),
    );
  }
  const connection = await chooseConnection(link, services);
  if (connection === undefined) return;
  await inUse(connection, services.connections, clock);
  const { kind, id } = link;
  const job =
    services.jobs.get(kind, id) ??
    (await withCancel(l10n.t('Searching for job {0}', shortenId(id)), (signal) =>
      services.service.findCreated(link, signal),
    ));
  if (job !== undefined) return void (await openJob(job));
  throw new UserError(l10n.t("The link's job {0} was not found on {1}.", shortenId(id), connection.name), [
    {
      title: l10n.t('Search All Jobs'),
      run: () => runCommand(services.log, () => search(link, connection, services, openJob)),
    },
  ]);
}

/** Selects the connection for a link and switches to it. Returns undefined if the user cancels. @throws UserError without one */
async function chooseConnection(
  { origin, id }: JobLink,
  { settings, connections: { current } }: Services,
): Promise<Connection | undefined> {
  const { l10n } = vscode;
  const leading = settings.get('connections').filter(({ baseUrl }) => originOf(baseUrl) === origin);
  const [first, ...others] = leading;
  if (first === undefined) {
    throw new UserError(
      l10n.t(
        'This link leads to a job on {0}, for which you have no connection. Connect to that service if you trust it, then open the link again.',
        origin,
      ),
      [commandStep(l10n.t('Connect to a Service'), commandIds.connect)],
    );
  }
  const used = leading.find(({ name }) => name === current?.name);
  if (used !== undefined) return used;
  const chosen = others.length === 0 ? await confirmSwitch(first, id) : await pickSwitch(leading, id);
  if (chosen !== undefined) await useConnection(chosen.name, settings);
  return chosen;
}

async function confirmSwitch(connection: Connection, id: string): Promise<Connection | undefined> {
  const { l10n } = vscode;
  const answer = l10n.t('Switch and Open');
  const chosen = await askInModal(
    'information',
    l10n.t('Switch to the connection {0}?', connection.name),
    [l10n.t('The link to job {0} leads to {1}.', shortenId(id), connection.baseUrl)],
    [answer],
  );
  return chosen === answer ? connection : undefined;
}

async function pickSwitch(connections: readonly Connection[], id: string): Promise<Connection | undefined> {
  const { l10n } = vscode;
  const picked = await pickOne<Connection>({
    title: l10n.t('Open Job {0}', shortenId(id)),
    placeholder: l10n.t('Select the connection to switch to'),
    choices: connections.map((connection) => ({
      label: plainLabel(connection.name),
      description: plainLabel(connection.baseUrl),
      iconPath: new vscode.ThemeIcon('plug'),
      value: connection,
    })),
    canGoBack: false,
  });
  return picked.type === 'picked' ? picked.value : undefined;
}

/** Waits until a connection is in use and the lookup of its key has ended. @throws UserError when it is not in use in time */
async function inUse({ name }: Connection, connections: ActiveConnection, clock: Clock): Promise<void> {
  const owner = new DisposableOwner();
  const isInUse = (): boolean => connections.current?.name === name && connections.state.type !== 'lookingForKey';
  try {
    await new Promise<void>((resolve) => {
      const look = (): void => {
        if (isInUse()) resolve();
      };
      owner.own(connections.onDidChange(look));
      owner.own(clock.after(maxSwitchMs, resolve));
      look();
    });
  } finally {
    owner.dispose();
  }
  if (!isInUse()) throw new UserError(vscode.l10n.t('The connection {0} is not in use. Open the link again.', name));
}

/** Searches the pages of the list of the job's kind. Runs only when the user selects it. */
async function search(
  { kind, id }: JobLink,
  { name }: Connection,
  { connections, service }: Services,
  openJob: (job: Job) => unknown,
): Promise<void> {
  const { l10n } = vscode;
  const job =
    connections.current?.name === name
      ? await withCancel(l10n.t('Searching for job {0}', shortenId(id)), (signal) => service.findJob(kind, id, signal))
      : undefined;
  if (job === undefined) throw new UserError(l10n.t('This job was not found among the jobs searched.'));
  await openJob(job);
}
