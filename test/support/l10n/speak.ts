import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Editor } from '../editor/startEditor.ts';
import type { Workbench } from '../workbench/workbench.ts';

/** Reloads the window in another display language, as "Configure Display Language" does. */
export async function speak(editor: Editor, workbench: Workbench, locale: string): Promise<void> {
  setLanguage(editor, locale);
  await workbench.reload();
}

/**
 * Sets the display language of windows that are opened or reloaded from now on; those that are open keep theirs. The
 * language pack is generated and does not translate the editor's own texts, only extensions'.
 */
export function setLanguage(editor: Editor, locale: string): void {
  const data = join(editor.dataDir, 'data');
  const texts = join(data, 'noTranslations.json');
  const languagePack = {
    hash: locale,
    label: locale,
    extensions: [{ extensionIdentifier: { id: 'test.language-pack' }, version: '1.0.0' }],
    translations: { vscode: texts },
  };
  mkdirSync(join(data, 'User'), { recursive: true });
  writeFileSync(texts, JSON.stringify({ contents: {} }));
  writeFileSync(join(data, 'languagepacks.json'), JSON.stringify({ [locale]: languagePack }));
  writeFileSync(join(data, 'User/argv.json'), JSON.stringify({ locale }));
}
