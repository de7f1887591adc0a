import type { SmallExtension } from './packExtension.ts';

/** The request that the agent submits. */
export const agentRequest = '{ "audio_url": "https://media.example.com/agent.mp3" }';

/**
 * An extension that invokes the tool outside a chat: the editor then shows its confirmation in a dialog. It shows the tool's result as a
 * message.
 */
export const agent: SmallExtension = {
  name: 'agent',
  manifest: { contributes: { commands: [{ command: 'agent.submit', title: 'Agent: Submit a Request' }] } },
  code: `
import * as vscode from 'vscode';
export function activate({ subscriptions }) {
  const submit = async () => {
    const invocation = { input: { request: ${JSON.stringify(agentRequest)} }, toolInvocationToken: undefined };
    const { content } = await vscode.lm.invokeTool('transcriptionJobs_submitRequest', invocation);
    return content.map(({ value }) => value).join('');
  };
  const tell = (text) => void vscode.window.showInformationMessage(text);
  const run = () => submit().then((answer) => tell('Answer: ' + answer), (error) => tell('No answer: ' + error.message));
  subscriptions.push(vscode.commands.registerCommand('agent.submit', run));
}`,
};
