import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Page } from 'playwright-core';
import { launchBrowser } from '../editor/launchBrowser.ts';
import { quietExtensions } from '../editor/quietExtensions.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { startEditor, type Editor } from '../editor/startEditor.ts';
import { copyExampleWorkspace } from '../start/exampleWorkspace.ts';
import { hostTestVariable, readHostTestLine, type HostTestEvent, type HostTestSettings } from './hostTestEvent.ts';
import { sourceOf } from './sourceOf.ts';
import { sourcePositions } from './sourcePositions.ts';
import { addFileMs, count, noTests, type Totals } from './totals.ts';

const silenceMs = 600_000;
const logFile = join(repositoryRoot, 'out/test-results/host/console.log');

/**
 * Runs the bundled tests of `out/test/host` in the real extension host of an editor whose workbench is open in a
 * browser, on a copy of the example workspace, and prints each result. The host's console goes to
 * `out/test-results/host/console.log`.
 */
export async function runHostTests(settings: HostTestSettings & { readonly version?: string }): Promise<Totals> {
  const { version, ...hostSettings } = settings;
  const folder = copyExampleWorkspace();
  const env = { [hostTestVariable]: JSON.stringify(hostSettings) };
  const editor = await startEditor({
    folder,
    env,
    builtinExtensions: quietExtensions,
    testDriver: true,
    ...(version !== undefined && { version }),
  });
  try {
    return await drive(editor);
  } finally {
    await editor.stop();
  }
}

async function drive(editor: Editor): Promise<Totals> {
  const browser = await launchBrowser();
  const consoleLines: string[] = [];
  try {
    const page = await browser.newPage();
    return await collect(page, editor, consoleLines);
  } finally {
    await browser.close();
    mkdirSync(join(logFile, '..'), { recursive: true });
    writeFileSync(logFile, `${consoleLines.join('\n')}\n\nserver:\n${editor.output()}`);
  }
}

/** Opens the workbench and counts the reported results until the tests end, the page crashes, or reports stop. */
async function collect(page: Page, editor: Editor, consoleLines: string[]): Promise<Totals> {
  let totals = noTests;
  let heardAt = performance.now();
  const finished = new Promise<string | undefined>((resolve) => {
    const hear = (event: HostTestEvent): void => {
      if (event.kind === 'end') return resolve(undefined);
      totals = addFileMs(count(totals, event.outcome), sourceOf(event.file), event.ms);
      print(event);
    };
    void page.exposeFunction('codeAutomationLog', (type: string, values: readonly unknown[]) => {
      heardAt = performance.now();
      const line = values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' ');
      const event = readHostTestLine(line);
      if (event) hear(event);
      else consoleLines.push(`${type}: ${line}`);
    });
    // The exit may arrive before the last lines of the console, so wait for them.
    void page.exposeFunction('codeAutomationExit', (code: number) => {
      void delay(2_000).then(() => resolve(`the extension host ended with code ${code} before all tests had reported`));
    });
    page.once('crash', () => resolve('the page crashed'));
    void silence(() => heardAt).then(() => resolve(`nothing was heard for ${silenceMs / 1000} seconds`));
  });
  await page.goto(testUrl(editor));
  const trouble = await finished;
  if (trouble === undefined) return totals;
  console.log(`✖ host tests: ${trouble}; the console is in ${logFile}`);
  const errors = consoleLines.filter((line) => line.startsWith('error:'));
  console.log(
    errors
      .slice(-5)
      .map((line) => `    ${line.split('\n', 1)[0] ?? ''}`)
      .join('\n'),
  );
  return count(totals, 'failed');
}

function testUrl({ url, port }: Editor): string {
  const remote = (path: string): string => `vscode-remote://127.0.0.1:${port}${join(repositoryRoot, path)}`;
  const payload = [
    ['extensionDevelopmentPath', remote('.')],
    ['extensionTestsPath', remote('out/test/host/run.cjs')],
    ['skipWelcome', 'true'],
  ];
  return `${url}&payload=${encodeURIComponent(JSON.stringify(payload))}`;
}

async function silence(heardAt: () => number): Promise<void> {
  for (;;) {
    const leftMs = heardAt() + silenceMs - performance.now();
    if (leftMs <= 0) return;
    await delay(leftMs, undefined, { ref: false });
  }
}

function print(event: HostTestEvent & { readonly kind: 'test' }): void {
  switch (event.outcome) {
    case 'passed':
      return console.log(`✔ ${event.title} (${event.ms} ms)`);
    case 'skipped':
      return console.log(`﹣ ${event.title} # SKIP`);
    case 'failed':
      return console.log(
        `✖ ${event.title} (${event.ms} ms)\n${sourcePositions(event.error).replaceAll(/^/gm, '    ')}`,
      );
  }
}
