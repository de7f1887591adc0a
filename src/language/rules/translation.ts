import { t } from '@vscode/l10n';
import type { Rule } from '../request/finding.ts';
import { arrayIn, booleanIn, languagesOf, objectIn, paths } from '../request/requestFields.ts';
import { valuePlace } from '../request/requestFile.ts';

const sourceLanguage: Rule = {
  code: 'translation/source-language',
  severity: 'info',
  source: 'request',
  explain: () => t('The only expected language is also a target: the text would be translated into its own language.'),
  *check({ body }) {
    if (booleanIn(body, 'translation') !== true) return;
    const [expected, ...others] = new Set(languagesOf(body));
    if (expected === undefined || others.length > 0) return;
    const targets = arrayIn(objectIn(body, 'translation_config'), 'target_languages') ?? [];
    for (const [index, target] of targets.entries()) {
      if (typeof target !== 'string' || target !== expected) continue;
      yield {
        message: t('"{0}" is the only expected language: this would be a translation into the same.', target),
        place: valuePlace(...paths.targetLanguages, index),
        related: [{ place: valuePlace(...paths.languages), message: t('The expected languages') }],
      };
    }
  },
};

export const translationRules: readonly Rule[] = [sourceLanguage];
