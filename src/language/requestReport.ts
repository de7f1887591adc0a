import { t } from '@vscode/l10n';
import { isJsonObject } from '../base/json/json.ts';
import { describeEffect, type EffectPart } from './effect.ts';
import { stripExtras } from './json/jsonTree.ts';
import type { ServiceKnowledge } from '../known/serviceKnowledge.ts';
import type { RequestFile } from './request/requestFile.ts';

/**
 * Describes the effect of a request file in plain words; empty if the text is not a JSON object. While there are syntax errors, it
 * describes the recovered part and begins with a note about that.
 */
export function effectOf(request: RequestFile, knowledge?: ServiceKnowledge): readonly EffectPart[] {
  const { body, value, text, extras, problems } = request;
  if (!isJsonObject(value)) return [];
  return problems.length > 0
    ? [{ topic: 'syntax', text: t('Syntax errors: this may not be all') }, ...describeEffect(body, knowledge)]
    : describeEffect(body, knowledge, stripExtras(text, extras));
}
