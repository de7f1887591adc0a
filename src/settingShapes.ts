import { rulesShape } from './language/rulesShape.ts';
import { buildConnectionsShape, type ConnectionDefaults } from './connections/common/connection.ts';
import {
  anyListSetting,
  choiceSetting,
  dictionarySetting,
  booleanSetting,
  integerSetting,
  zeroOrIntegerSetting,
  listSetting,
  textSetting,
  type SettingShape,
  type SettingValue,
} from './base/decode/settingShape.ts';

/** Returns the shape of every setting `transcriptionJobs.*`. The defaults are in `package.json` only. */
export function settingShapes(connections: ConnectionDefaults) {
  return {
    connection: textSetting(),
    connections: buildConnectionsShape(connections),
    groupBy: choiceSetting('status', 'none'),
    labelKeys: listSetting(textSetting()),
    errorLabels: dictionarySetting(textSetting()),
    'autoRefresh.intervalSeconds': zeroOrIntegerSetting(5, 3600),
    'submit.confirm': choiceSetting('always', 'warnings'),
    'submit.correlationTag': textSetting('^[A-Za-z0-9_.-]{0,64}$'),
    notifyWhenFinished: booleanSetting,
    // `savedViewsSetting`, loaded when there are elements, decodes the elements.
    views: anyListSetting(),
    rules: rulesShape,
    'agents.connections': listSetting(textSetting()),
    overdueMinutes: integerSetting(0, 43_200),
    times: choiceSetting('relative', 'clock'),
  } as const satisfies Readonly<Record<string, SettingShape<unknown>>>;
}

type SettingShapes = ReturnType<typeof settingShapes>;

/** The type of each setting's value. */
export type SettingValues = { readonly [N in keyof SettingShapes]: SettingValue<SettingShapes[N]> };
