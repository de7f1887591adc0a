import { list, optional, record, shortText, word } from './base/decode/decoder.ts';
import { t } from '@vscode/l10n';
import { rulesShape } from './language/rulesShape.ts';
import { buildConnectionsShape, type ConnectionDefaults } from './connections/common/connection.ts';
import {
  anyListSetting,
  choiceSetting,
  dictionarySetting,
  booleanSetting,
  decodedSetting,
  integerSetting,
  zeroOrIntegerSetting,
  listSetting,
  textSetting,
  type SettingShape,
  type SettingValue,
} from './base/decode/settingShape.ts';

/** Decodes which files of finished jobs are saved by themselves; without a folder, none. */
const deliverSetting = decodedSetting(
  { type: 'object', additionalProperties: false },
  record({
    folder: optional(shortText(1000)),
    formats: optional(list(word('text', 'turns', 'markdown', 'srt', 'vtt', 'json'), 6)),
    languages: optional(list(shortText(100), 100)),
    name: optional(shortText(200)),
  }),
  () => t('It must have a folder, and may have formats, languages and a name.'),
);

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
    deliver: deliverSetting,
  } as const satisfies Readonly<Record<string, SettingShape<unknown>>>;
}

type SettingShapes = ReturnType<typeof settingShapes>;

/** The type of each setting's value. */
export type SettingValues = { readonly [N in keyof SettingShapes]: SettingValue<SettingShapes[N]> };
