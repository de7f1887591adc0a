import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../base/json/json.ts';
import { unusable, type SettingReading } from '../base/decode/settingShape.ts';
import { rulesShape } from './rulesShape.ts';
import { findUnknownRuleCodes, type RuleLevels } from './check.ts';
import { parseJsonTree } from './json/jsonTree.ts';
import { memberOf } from './request/requestFields.ts';

/** Name of the setting with the rule levels in workspace settings. */
const rulesSetting = 'transcriptionJobs.rules';

/**
 * Reads the rule levels in workspace settings, which may have comments. Without the setting, no level is overridden.
 * @param text of `.vscode/settings.json`
 */
export function readSettingsRules(text: string): SettingReading<RuleLevels> {
  const settings = readObject(text);
  if (settings === undefined) return unusable(t('The settings are not a JSON object.'));
  return readRuleLevels(memberOf(settings, rulesSetting) ?? {});
}

/** Reads the rule levels in a rules file: an object from code to level, or settings that contain one. */
export function readRulesFile(text: string): SettingReading<RuleLevels> {
  const written = readObject(text);
  if (written === undefined) return unusable(t('A rules file contains a JSON object that maps rule codes to levels.'));
  return readRuleLevels(memberOf(written, rulesSetting) ?? written);
}

/** Decodes rule levels. Reports and omits invalid entries and unknown codes. */
export function readRuleLevels(written: unknown): SettingReading<RuleLevels> {
  const { value, problems } = rulesShape.read(written);
  if (value === undefined) return { value, problems };
  const unknown = findUnknownRuleCodes(value);
  if (unknown.length === 0) return { value, problems };
  return { value, problems: [...problems, t('Unknown rules: {0}.', unknown.join(', '))] };
}

function readObject(text: string): JsonObject | undefined {
  const { value, problems } = parseJsonTree(text);
  return problems.length === 0 && isJsonObject(value) ? value : undefined;
}
