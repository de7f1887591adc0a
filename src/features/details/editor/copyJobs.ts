import * as vscode from 'vscode';
import { readJobFields } from '../../../jobs/common/decodeJob.ts';
import type { CopyWhat, Job } from '../../../jobs/common/job.ts';
import { shortenId } from '../../../jobs/common/jobRow.ts';
import { originOf, sampleName } from '../../../connections/common/connectionInput.ts';
import { formatJobLink } from '../../../jobs/common/jobLink.ts';
import { showBriefly, UserError } from '../../../platform/editor/messages.ts';
import type { Connection } from '../../../connections/common/connection.ts';
import { jobCurl, listCurl } from '../../../jobs/node/curl.ts';
import { formatItem } from '../../../platform/formatItem.ts';
import { readWholeJobs } from '../../../jobs/editor/readWholeJobs.ts';
import type { ListQuery } from '../../../jobs/common/listParams.ts';
import type { Services } from '../../../services.ts';
import type { CurrentFacts } from '../../../jobs/editor/currentFacts.ts';

/**
 * Copies data of one or more jobs to the clipboard: ids and commands one per line, several items as a JSON array.
 * @throws UserError if no job has it; Failure if a command needs a connection and there is none.
 */
export async function copyJobs(
  jobs: readonly Job[],
  what: CopyWhat,
  { connections, facts, jobs: source, service }: Services,
): Promise<void> {
  const copied = what === 'json' ? await readWholeJobs(jobs, source, service.keyMask) : jobs;
  await vscode.env.clipboard.writeText(await textOf(copied, what, () => connections.reach()));
  const [job, ...others] = jobs;
  // The focused tree item may differ from the selected one, so name the job.
  if (job !== undefined) showBriefly(copiedText(service.keyMask.apply(nameJob(job, facts)), others.length, what));
}

/** Copies the request of a list to the clipboard as a shell command. @throws Failure if there is no connection */
export async function copyList({ endpoint, params }: ListQuery, { connections }: Services): Promise<void> {
  await vscode.env.clipboard.writeText(listCurl(endpoint, params, await connections.reach()));
}

function nameJob(job: Job, facts: CurrentFacts): string {
  const title = facts.titleOf(job);
  const id = shortenId(job.id);
  return title === id ? id : `${title} (${id})`;
}

function copiedText(named: string, others: number, what: CopyWhat): string {
  const { l10n } = vscode;
  if (others > 0) return l10n.t('Copied from {0} jobs', others + 1);
  switch (what) {
    case 'id':
      return l10n.t('Copied the ID of {0}', named);
    case 'requestId':
      return l10n.t('Copied the request ID of {0}', named);
    case 'link':
      return l10n.t('Copied the link to {0}', named);
    case 'json':
      return l10n.t('Copied the JSON of {0}', named);
    case 'curl':
      return l10n.t('Copied a command that lists {0}', named);
  }
}

async function textOf(
  jobs: readonly Job[],
  what: CopyWhat,
  reachConnection: () => Promise<Connection>,
): Promise<string> {
  switch (what) {
    case 'id':
      return jobs.map(({ id }) => id).join('\n');
    case 'requestId': {
      const ids = jobs.map((job) => readJobFields(job).request_id).filter((id) => id !== undefined);
      if (ids.length === 0) throw new UserError(vscode.l10n.t('The service gave no request ID for this job.'));
      return ids.join('\n');
    }
    case 'link':
      return linksTo(jobs, await reachConnection());
    case 'json': {
      const [first, ...others] = jobs.map(({ raw }) => raw);
      return formatItem(first !== undefined && others.length === 0 ? first : `[${[first, ...others].join(',')}]`);
    }
    case 'curl': {
      const service = await reachConnection();
      return jobs.map((job) => jobCurl(job, service)).join('\n');
    }
  }
}

/**
 * Returns links with the editor's own scheme. They are not made external with `asExternalUri`, because that ties them
 * to this window, and may send network requests.
 * @throws UserError if no job can be linked to
 */
function linksTo(jobs: readonly Job[], { name, baseUrl }: Connection): string {
  const { l10n } = vscode;
  if (name === sampleName)
    throw new UserError(l10n.t("Sample jobs exist in this window only, so there's no link to them."));
  const links = jobs.flatMap((job) => formatJobLink(job, originOf(baseUrl), vscode.env.uriScheme) ?? []);
  if (links.length > 0) return links.join('\n');
  throw new UserError(l10n.t('A link needs the time when the job was created, which the service did not give.'));
}
