import { isJsonObject, type JsonValue, type JsonPath } from '../../base/json/json.ts';
import type { RenamedField, Setting } from '../../known/knownService.ts';
import { movableMembers } from './settingChanges.ts';
import { findField, hasKnownTypes } from './schemaFields.ts';
import { fitValue } from './typeFixes.ts';

/**
 * Returns the settings that replace a renamed field: its value under the name of its successor, and the switch of the object that the
 * value moves to. Empty if there is no successor, or the value does not fit it; undefined if it has too many members to be moved.
 * @param path of the field; within an element of a list, the paths of the settings are relative to the element
 */
export function settingsOfRenamed(
  path: JsonPath,
  value: JsonValue,
  { kind, successor, isWrapper }: RenamedField,
): readonly Setting[] | undefined {
  if (isWrapper === true) {
    // Omit settings of a live session that are off.
    return (isJsonObject(value) ? movableMembers(value) : [])?.flatMap(([name, each]): readonly Setting[] =>
      kind === 'live' && (each === false || each === null) ? [] : [[[name], each]],
    );
  }
  if (successor === undefined || value === null) return [];
  const to = successor.split('.');
  const isElement = path.length > 2;
  const fullPath = isElement ? [...path.slice(0, -1), ...to] : to;
  const field = findField(fullPath);
  const fitted = fitValue(fullPath, value);
  if (!field || fitted === undefined || !hasKnownTypes(fitted, field)) return [];
  if (isElement) return [[to, fitted]];
  const [config = ''] = to;
  const feature = config.replace(/_config$/u, '');
  const hasSwitch =
    config !== feature && path[0] !== config && findField([feature])?.types.includes('boolean') === true;
  const settings: readonly Setting[] | undefined =
    isJsonObject(fitted) && field.members
      ? movableMembers(fitted)?.map(([name, each]) => [[...to, name], each])
      : [[to, fitted]];
  return hasSwitch ? settings && [[[feature], true], ...settings] : settings;
}
