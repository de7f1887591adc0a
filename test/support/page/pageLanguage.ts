import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { config } from '@vscode/l10n';
import { locale } from '../../../src/platform/editor/locale.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { pseudoLocale, pseudoTexts } from '../l10n/pseudo.ts';
import { stubEditor } from './editorStub.ts';

/** Sets the display language for pages that are opened from now on; an editor never changes its language while its window is open. */
export function setPageLanguage(language: 'en' | 'fr' | typeof pseudoLocale): void {
  const strings = stringsIn(language);
  stubEditor.language = language;
  stubEditor.strings = strings;
  config({ contents: strings ?? {} });
  Object.assign(locale, { language });
}

/** Returns translations by their English text, as the editor reads them from the package. */
function stringsIn(language: string): Readonly<Record<string, string>> | undefined {
  if (language === 'en') return undefined;
  if (language === pseudoLocale) return pseudoTexts('l10n/bundle.l10n.json');
  const file = join(repositoryRoot, `l10n/bundle.l10n.${language}.json`);
  return JSON.parse(readFileSync(file, 'utf8')) as Readonly<Record<string, string>>;
}
