import { connectionsShape, type ConnectionDefaults } from '../connection/connection.ts';
import { choice, dictionary, flag, integer, list, text, type SettingShape, type SettingValue } from './settingShape.ts';

/** Every setting `transcriptionJobs.*` and what it may hold. Defaults stand in `package.json` only. */
export function settingShapes(connections: ConnectionDefaults) {
  return {
    connection: text(),
    connections: connectionsShape(connections),
    pageSize: integer(1, 1000),
    groupBy: choice('status', 'none'),
    listSource: choice('byKind', 'combined'),
    labelKeys: list(text()),
    errorLabels: dictionary(text()),
    'autoRefresh.enabled': flag,
    'autoRefresh.intervalSeconds': integer(5, 3600),
    requestTimeoutSeconds: integer(1, 600),
    'submit.confirm': choice('always', 'warnings'),
    'submit.correlationTag': text('^[A-Za-z0-9_.-]{0,64}$'),
    notifyWhenFinished: flag,
    rules: dictionary(choice('off', 'hint', 'info', 'warning')),
  } as const satisfies Readonly<Record<string, SettingShape<unknown>>>;
}

type SettingShapes = ReturnType<typeof settingShapes>;

/** A setting's name without `transcriptionJobs.`. */
export type SettingName = keyof SettingShapes;

/** What each setting reads as. */
export type SettingValues = { readonly [N in SettingName]: SettingValue<SettingShapes[N]> };
