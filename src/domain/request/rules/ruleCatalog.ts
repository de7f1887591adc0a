import { audioUrlRules } from './audioUrl.ts';
import { diarizationRules } from './diarization.ts';
import { fieldRules } from './fields.ts';
import { languageRules } from './languages.ts';
import type { Rule } from './rule.ts';
import { subtitleRules } from './subtitles.ts';
import { switchRules } from './switches.ts';
import { vocabularyRules } from './vocabulary.ts';

/** Every rule, in the order of the README's table. */
export const ruleCatalog: readonly Rule[] = [
  ...audioUrlRules,
  ...languageRules,
  ...vocabularyRules,
  ...diarizationRules,
  ...subtitleRules,
  ...switchRules,
  ...fieldRules,
];

/** The codes of all rules. */
export const ruleCodes: ReadonlySet<string> = new Set(ruleCatalog.map(({ code }) => code));
