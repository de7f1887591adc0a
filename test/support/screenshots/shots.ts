import type { Locator } from 'playwright-core';
import { isReached, until } from '../until.ts';
import type { Theme } from '../workbench/themes.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** A picture of the documentation or of the walkthrough. */
export interface Shot {
  /** Size of the window in pixels. */
  readonly size: readonly [width: number, height: number];
  /** Environment variables of the editor. */
  readonly env?: Readonly<Record<string, string>>;
  /** Brings a fresh workbench, on the example workspace with sample jobs, into the state to show. */
  readonly prepare: (workbench: Workbench) => Promise<void>;
  /** Selector of the part of the window to show; by default all of it. */
  readonly part?: string;
  /** The only theme to take the picture in, without its name in the file's name; by default one picture for each theme. */
  readonly theme?: Theme;
}

const incident = { TRANSCRIPTION_SAMPLE_INCIDENT: '1' };

/** All pictures by their path in `media/`, without the theme and the extension. Those of the walkthrough are packaged: at most 40 KB each. */
export const shots: Readonly<Record<string, Shot>> = {
  'screenshots/jobs': {
    size: [1100, 600],
    env: incident,
    prepare: async (workbench) => {
      await openGroup(workbench, 'Pre-recorded', /^Done/);
      await widenSideBar(workbench);
      await openTranscript(workbench);
      const jobs = workbench.tree('Jobs');
      await jobs.expand(/^Needs attention/);
      await jobs.expand(/^New failures/);
      await jobs
        .row(/^Aurora Health/)
        .first()
        .waitFor();
    },
  },
  'screenshots/board': {
    size: [1200, 760],
    env: { ...incident, TRANSCRIPTION_SAMPLE_JOBS: '600' },
    prepare: async (workbench) => {
      await workbench.showView('Transcription Jobs');
      await workbench.runCommand('Transcription: Open Board');
      const board = await workbench.webview(/^Board/);
      const isRead = board.getByText(/^Read at .*: [\d,]+ jobs/).first();
      await isRead.waitFor();
      await board.getByRole('button', { name: '24 hours' }).click();
      await board.getByText('Jobs: last 24 hours').waitFor();
      await isRead.waitFor();
      await hideSideBar(workbench);
      await board.getByRole('button', { name: 'What Changed?' }).click();
      await board.getByText('Aurora Health').first().waitFor();
    },
  },
  'screenshots/request': {
    size: [1000, 700],
    prepare: async (workbench) => {
      await openRequest(workbench);
      await workbench.runCommand('Problems: Focus on Problems View');
      await workbench.page.locator('.markers-panel .monaco-list-row').nth(2).waitFor();
    },
  },
  'walkthrough/sample': {
    size: [800, 460],
    prepare: async (workbench) => {
      await openGroup(workbench, 'Pre-recorded', /^Done/);
    },
    part: '.part.sidebar',
    theme: 'dark',
  },
  'walkthrough/request': {
    size: [700, 400],
    prepare: async (workbench) => {
      await openRequest(workbench);
      await workbench.page.keyboard.press('F8');
      await workbench.page.locator('.marker-widget').waitFor();
    },
    part: '.part.editor',
    theme: 'dark',
  },
};

async function openGroup(workbench: Workbench, kind: string, group: RegExp): Promise<void> {
  await workbench.showView('Transcription Jobs');
  const jobs = workbench.tree('Jobs');
  await jobs.expand(kind);
  await jobs.expand(group);
}

/** A job may have no transcript. */
const linesMs = 5000;

/** Opens the first job that is done and has several speakers, in letters for which the browser has fonts; the order of jobs depends on the time. */
async function openTranscript(workbench: Workbench): Promise<void> {
  const done = workbench.tree('Jobs').root.getByRole('treeitem', { name: /, done, pre-recorded/ });
  for (let place = 0; ; place++) {
    const job = done.nth(place);
    const title = await job.locator('.label-name').innerText();
    // The list may change before the click.
    const row = done.filter({ has: workbench.page.getByText(title, { exact: true }) }).first();
    await workbench.tree('Jobs').click(row, workbench.page.getByRole('tab', { name: title }).first());
    const page = await workbench.webview(title);
    await page.getByRole('button', { name: 'Transcript', exact: true }).click();
    const transcript = page.locator('.transcript');
    const hasLines = await isReached(transcript.locator('.line').first().waitFor({ timeout: linesMs }));
    if (!hasLines || !(await hasLatinSpeakers(transcript))) continue;
    await page.getByRole('heading', { name: 'Transcript' }).evaluate('(heading) => heading.scrollIntoView()');
    return;
  }
}

async function hasLatinSpeakers(transcript: Locator): Promise<boolean> {
  if ((await transcript.locator('.speaker').count()) < 2) return false;
  return /^[\p{Script=Latin}\p{P}\p{N}\p{Z}\s]*$/u.test(await transcript.innerText());
}

/** Opens a request file alone; the code lens above it appears once the rules are loaded. */
async function openRequest(workbench: Workbench): Promise<void> {
  await workbench.openFile('podcast.transcription.json');
  await workbench.page.locator('.codelens-decoration', { hasText: 'Submit' }).waitFor();
  await hideSideBar(workbench);
}

async function hideSideBar({ page }: Workbench): Promise<void> {
  await until(
    'the side bar is hidden',
    async () => {
      if (!(await page.locator('.part.sidebar').isVisible())) return true;
      await page.keyboard.press('Control+B');
      return false;
    },
    1000,
  );
}

/** Makes room for the ends of rows. */
async function widenSideBar({ page }: Workbench): Promise<void> {
  const box = await page.locator('.part.sidebar').boundingBox();
  if (box === null) throw new Error('the side bar is hidden');
  const edge = box.x + box.width;
  await page.mouse.move(edge, box.y + box.height / 2);
  await page.mouse.down();
  await page.mouse.move(edge + 50, box.y + box.height / 2, { steps: 5 });
  await page.mouse.up();
}
