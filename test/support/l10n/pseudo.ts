import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { getL10nPseudoLocalized } from '@vscode/l10n-dev';
import { extensionId } from '../../../src/jobs/common/jobLink.ts';
import { mapSchemaTexts } from '../../../media/schemas/mapSchemaTexts.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { Editor } from '../editor/startEditor.ts';
import type { Strings } from './exportStrings.ts';

/** The editor's id of a pseudo-language: English with other letters, so that plain text was never translated. */
export const pseudoLocale = 'qps-ploc';

/** A text in the pseudo-language. */
export function pseudo(text: string): string {
  const { translated } = getL10nPseudoLocalized({ translated: text });
  return typeof translated === 'string' ? translated : text;
}

/** Adds the pseudo-language to the installed extension. */
export function teachPseudo(editor: Editor): void {
  const [installed] = globSync(join(editor.extensionsDir, `${extensionId}-*`));
  if (installed === undefined) throw new Error(`the extension is not installed in ${editor.extensionsDir}`);
  const write = (file: string, content: unknown): void => writeFileSync(join(installed, file), JSON.stringify(content));
  const requestSchema = `./dist/schemas/request.schema.${pseudoLocale}.json`;
  write(requestSchema, mapSchemaTexts(readJson('media/schemas/request.schema.json'), pseudo));
  write(`package.nls.${pseudoLocale}.json`, { ...pseudoTexts('package.nls.json'), requestSchema });
  write(`l10n/bundle.l10n.${pseudoLocale}.json`, pseudoTexts('l10n/bundle.l10n.json'));
}

/** The texts of a file in the pseudo-language, by their keys. */
export function pseudoTexts(file: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(readJson(file) as Strings).map(([key, text]) => [
      key,
      pseudo(typeof text === 'string' ? text : text.message),
    ]),
  );
}

function readJson(file: string): unknown {
  return JSON.parse(readFileSync(join(repositoryRoot, file), 'utf8'));
}
