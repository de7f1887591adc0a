import * as vscode from 'vscode';
import { readJobFields } from '../../domain/jobs/decodeJob.ts';
import type { Job } from '../../domain/jobs/job.ts';
import { formatJson } from '../../domain/json/formatJson.ts';
import type { CopyWhat } from '../../domain/protocol.ts';
import { UserError } from '../messages.ts';
import type { Connection } from '../../service/ports.ts';
import { jobCurl } from '../../service/api/curl.ts';

/**
 * Puts something of one or several jobs on the clipboard: ids and commands on lines of their own, several items as an array.
 * @throws UserError when none of the jobs has what is asked for; Failure when there is no connection for a command.
 */
export async function copyJobs(
  jobs: readonly Job[],
  what: CopyWhat,
  connection: { reach(): Promise<Connection> },
): Promise<void> {
  await vscode.env.clipboard.writeText(await textOf(jobs, what, () => connection.reach()));
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
      if (ids.length === 0) throw new UserError(vscode.l10n.t('The service gave no request id for this job.'));
      return ids.join('\n');
    }
    case 'json': {
      const [first, ...others] = jobs.map(({ raw }) => raw);
      return formatJson(first !== undefined && others.length === 0 ? first : `[${[first, ...others].join(',')}]`);
    }
    case 'curl': {
      const service = await reachConnection();
      return jobs.map((job) => jobCurl(job, service)).join('\n');
    }
  }
}
