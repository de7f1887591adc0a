import { t } from '@vscode/l10n';
import { isJsonObject, type JsonObject } from '../base/json/json.ts';
import { unusable, type SettingReading } from '../base/decode/settingShape.ts';
import { rulesShape } from './rulesShape.ts';
import { findUnknownRuleCodes, type RuleLevels } from './check.ts';
import { parseJsonTree } from './json/jsonTree.ts';
import { memberOf } from './request/requestFields.ts';

/** The setting with the levels of rules, as it stands in a workspace's settings. */
const rulesSetting = 'transcriptionJobs.rules';

/**
 * The levels of rules in the settings of a workspace, which may have comments. Without that setting no level is replaced.
 * @param text of `.vscode/settings.json`
 */
export function readSettingsRules(text: string): SettingReading<RuleLevels> {
  const settings = readObject(text);
  if (settings === undefined) return unusable(t('The settings are not a JSON object.'));
  return readRuleLevels(memberOf(settings, rulesSetting) ?? {});
}

/** The levels of rules in a file of their own: an object from code to level, or settings that hold one. */
export function readRulesFile(text: string): SettingReading<RuleLevels> {
  const written = readObject(text);
  if (written === undefined) return unusable(t('A rules file contains a JSON object that maps rule codes to levels.'));
  return readRuleLevels(memberOf(written, rulesSetting) ?? written);
}

/** Levels from outside. Entries that cannot be used are told and left out, and so are codes that no rule has. */
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
