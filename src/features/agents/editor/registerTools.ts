import * as vscode from 'vscode';
import type { ToolName } from '../common/tools.ts';
import type { AgentTools } from './agentTools.ts';
import type { Services } from '../../../services.ts';

/** The tools' names in `package.json`. */
const toolIds = {
  listJobs: 'transcriptionJobs_listJobs',
  getJob: 'transcriptionJobs_getJob',
  checkRequest: 'transcriptionJobs_checkRequest',
  submitRequest: 'transcriptionJobs_submitRequest',
  overdue: 'transcriptionJobs_overdue',
  failures: 'transcriptionJobs_failures',
  count: 'transcriptionJobs_count',
} as const satisfies Readonly<Record<ToolName, string>>;

/**
 * Registers the language model tools: several that read, and one that submits, which the editor confirms each time. Their code is imported
 * on first use.
 */
export function registerTools(services: Services): vscode.Disposable {
  let loading: Promise<AgentTools> | undefined;
  const load = (): Promise<AgentTools> => {
    loading ??= import('./agentTools.ts').then((loaded) => new loaded.AgentTools(services));
    return loading;
  };
  const names = ['listJobs', 'getJob', 'checkRequest', 'submitRequest', 'overdue', 'failures', 'count'] as const;
  return vscode.Disposable.from(
    ...names.map((name) =>
      vscode.lm.registerTool<unknown>(toolIds[name], {
        invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
        prepareInvocation: async ({ input }) => (await load()).prepare(name, input),
      }),
    ),
  );
}
