import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import type { Theme } from '../workbench/themes.ts';

/** The values that the editor passes to a webview in a colour theme. */
export interface RecordedTheme {
  /** Classes of the body. */
  readonly classes: string;
  /** `data-` attributes of the body. */
  readonly data: Readonly<Record<string, string>>;
  /** The variables that pages use; null for variables that the theme does not set. */
  readonly variables: Readonly<Record<string, string | null>>;
}

/** The values that the editor passes to webviews, as recorded by `recordThemes.ts`. */
export interface RecordedThemes {
  /** The style sheet that every webview has. */
  readonly defaultStyles: string;
  readonly themes: Readonly<Record<Theme, RecordedTheme>>;
}

export const themesFile = join(repositoryRoot, 'test/support/page/themes.json');

export function readRecordedThemes(): RecordedThemes {
  return JSON.parse(readFileSync(themesFile, 'utf8')) as RecordedThemes;
}
