import * as vscode from 'vscode';
import type { ToolName } from '../common/tools.ts';
import type { AgentTools } from './agentTools.ts';
import type { Services } from '../../../services.ts';

/** The tools' names in `package.json`, without the prefix. */
const toolNames = [
  'listJobs',
  'getJob',
  'checkRequest',
  'submitRequest',
  'overdue',
  'failures',
  'count',
] as const satisfies readonly ToolName[];

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
  return vscode.Disposable.from(
    ...toolNames.map((name) =>
      vscode.lm.registerTool<unknown>(`transcriptionJobs_${name}`, {
        invoke: async ({ input }, token) => (await load()).invoke(name, input, token),
        prepareInvocation: async ({ input }) => (await load()).prepare(name, input),
      }),
    ),
  );
}
