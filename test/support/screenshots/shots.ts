import type { Workbench } from '../workbench/workbench.ts';

/** Brings a fresh workbench, on the example workspace with sample jobs, into the state to show. */
export type Shot = (workbench: Workbench) => Promise<void>;

/** Environment variables of the editor for a screenshot, by file name; none for the others. */
export const shotEnv: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  attention: { TRANSCRIPTION_SAMPLE_INCIDENT: '1' },
};

/** The screenshots of the documentation by file name. */
export const shots: Readonly<Record<string, Shot>> = {
  attention: async (workbench) => {
    await workbench.page.setViewportSize({ width: 900, height: 620 });
    await workbench.showView('Transcription Jobs');
    const jobs = workbench.tree('Jobs');
    await jobs.expand(/^Needs attention/);
    await jobs.expand(/^New failures/);
    const group = jobs.row(/· customer: Aurora Health$/).first();
    await group.hover();
    await workbench.page.locator('.workbench-hover', { hasText: 'In common' }).waitFor();
  },
  board: async (workbench) => {
    await workbench.page.setViewportSize({ width: 1280, height: 860 });
    await workbench.showView('Transcription Jobs');
    await workbench.runCommand('Transcription: Open Board');
    const board = await workbench.webview(/^Board/);
    await board.getByRole('grid').getByRole('row').nth(5).waitFor();
    await board
      .getByText(/^Read at .*: [\d,]+ jobs/)
      .first()
      .waitFor();
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
  },
  transcript: async (workbench) => {
    await workbench.page.setViewportSize({ width: 1100, height: 720 });
    await openGroup(workbench, 'Pre-recorded', /^Done/);
    const jobs = workbench.tree('Jobs').root.getByRole('treeitem', { name: /, done, pre-recorded/ });
    // The order of jobs depends on the time. The browser has no fonts for all languages.
    for (let place = 0; ; place++) {
      const job = jobs.nth(place);
      const title = await job.locator('.label-name').innerText();
      await job.click();
      const page = await workbench.webview(title);
      await page.getByRole('button', { name: 'Transcript', exact: true }).click();
      const lines = page.locator('.transcript');
      await lines.locator('.line').first().waitFor();
      const isTold = (await lines.locator('.speaker').count()) > 1;
      if (isTold && /^[\p{Script=Latin}\p{P}\p{N}\p{Z}\s]*$/u.test(await lines.innerText())) return;
    }
  },
  request: async (workbench) => {
    await workbench.openFile('podcast.transcription.json');
    await lens(workbench);
    await workbench.runCommand('View: Toggle Primary Side Bar Visibility');
    await workbench.runCommand('Problems: Focus on Problems View');
    await workbench.page.locator('.markers-panel .monaco-list-row').nth(2).waitFor();
  },
  submit: async (workbench) => {
    await openGroup(workbench, 'Pre-recorded', /^Processing/);
    await workbench.openFile('podcast.transcription.json');
    await lens(workbench);
    await workbench.runCommand('Transcription: Submit Request');
    await workbench.dialogText();
  },
};

async function openGroup(workbench: Workbench, kind: string, group: RegExp): Promise<void> {
  await workbench.showView('Transcription Jobs');
  const jobs = workbench.tree('Jobs');
  await jobs.expand(kind);
  await jobs.expand(group);
}

/** The code lens above a request file appears once the rules are loaded. */
async function lens(workbench: Workbench): Promise<void> {
  await workbench.page.locator('.codelens-decoration', { hasText: 'Submit' }).waitFor();
}
