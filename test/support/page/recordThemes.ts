import { writeFileSync } from 'node:fs';
import type { Locator } from 'playwright-core';
import { build } from '../run/buildExtension.ts';
import { packageVsix } from '../run/packageVsix.ts';
import { runMain } from '../run/runMain.ts';
import { until } from '../until.ts';
import { openWorkbench } from '../workbench/openWorkbench.ts';
import { setTheme, type Theme } from '../workbench/themes.ts';
import { themesFile, type RecordedTheme } from './recordedThemes.ts';
import { usedVariables } from './usedVariables.ts';

/** Each theme with the kind that the editor gives webviews in it. */
const kinds: Readonly<Record<Theme, string>> = {
  light: 'vscode-light',
  dark: 'vscode-dark',
  highContrast: 'vscode-high-contrast',
  highContrastLight: 'vscode-high-contrast-light',
};

/** Runs in the page. */
const readScript = `({ style, ownerDocument: { body } }, names) => ({
  classes: body.className,
  data: { ...body.dataset },
  variables: Object.fromEntries(names.map((name) => [name, style.getPropertyValue(name) || null])),
})`;

// Records the values that the editor passes to webviews in each theme into `themes.json`: the colours that pages use, the font, the classes
// of the body, and the default style sheet. Run `npx node test/support/page/recordThemes.ts` when a page uses another variable of the
// editor, or for a newer editor; `test/page/themes.test.ts` fails when it is necessary.
await runMain(async () => {
  await build(false);
  const session = await openWorkbench({
    extensionVsix: await packageVsix(),
    userSettings: { 'transcriptionJobs.connection': 'Sample' },
  });
  try {
    const { workbench } = session;
    await workbench.showView('Transcription Jobs');
    await workbench.runCommand('Transcription: Open Board');
    const root = (await workbench.webview(/^Board/)).locator(':root');
    const defaultStyles = (await root.locator('#_defaultStyles').textContent()) ?? '';
    const names = usedVariables(defaultStyles);
    const themes: Partial<Record<Theme, RecordedTheme>> = {};
    for (const theme of Object.keys(kinds) as Theme[]) {
      await setTheme(workbench, theme);
      await until(
        `the page is in ${theme}`,
        async () => (await readTheme(root, names)).data['vscodeThemeKind'] === kinds[theme],
      );
      themes[theme] = await readTheme(root, names);
    }
    writeFileSync(themesFile, `${JSON.stringify({ defaultStyles, themes }, undefined, 2)}\n`);
    console.log(themesFile);
  } finally {
    await session.close();
  }
  return 0;
});

function readTheme(root: Locator, names: readonly string[]): Promise<RecordedTheme> {
  return root.evaluate<RecordedTheme, readonly string[]>(readScript, names);
}
