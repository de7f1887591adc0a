import { agentRequest } from '../../support/extensions/agent.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WorkbenchTests } from '../../support/workbench/useWorkbench.ts';

/**
 * Tests of the tool with which agents submit, in a window with {@link agent}.
 * @param host of the service that the connection "Work" uses
 * @param posts the number of POSTs that the service received
 */
export function agentTests(session: WorkbenchTests, host: string, posts: () => number): void {
  test('what an agent would submit is asked about with the connection and the bill, and a cancel sends nothing', async () => {
    const { workbench } = session();
    const before = posts();
    await workbench.runCommand('Agent: Submit a Request');
    await workbench.dialogButton('Cancel').waitFor();
    const question = await workbench.dialogText();
    for (const part of [
      'Submit a transcription request?',
      'Connection: Work',
      `Service: http://${host}/v2/pre-recorded`,
      'creates a new billed job',
      agentRequest,
    ]) {
      assert.ok(question.includes(part), `${part} is missing in: ${question}`);
    }
    assert.equal(posts(), before);
    await workbench.dialogButton('Cancel').click();
    await workbench.notifications.withText(/^No answer: /).waitFor();
    assert.equal(posts(), before);
  });

  test('once an agent is allowed to, it submits once and gets the answer', async () => {
    const { workbench } = session();
    const before = posts();
    await workbench.runCommand('Agent: Submit a Request');
    await workbench.dialogButton(/^(Yes|Continue|Allow)$/).click();
    await workbench.notifications.withText(/^Answer: Job [\w-]+ was created\.$/).waitFor();
    assert.equal(posts(), before + 1);
  });
}
