import * as vscode from 'vscode';
import { readConnectionDefaults, type ConnectionDefaults } from './connections/common/connection.ts';
import { DisposableOwner } from './base/disposable.ts';
import type { SettingShape } from './base/decode/settingShape.ts';
import { settingShapes, type SettingValues } from './settingShapes.ts';
import { section, settingId, type SettingName } from './platform/editor/ids.ts';

/** Settings that may have changed. */
export interface SettingsChange {
  affects(name: SettingName): boolean;
}

/** Reports why a setting's value is invalid. @param problem a localised sentence. */
export type ReportProblem = (name: SettingName, problem: string) => void;

/**
 * The decoded settings `transcriptionJobs.*`. An invalid value is reported once and replaced by the default of `package.json`. Connections
 * are read from user settings only; a folder may select one by name, once it is trusted.
 */
export class Settings extends DisposableOwner {
  /** Defaults for optional connection fields, from `package.json`. */
  readonly connectionDefaults: ConnectionDefaults;
  readonly onDidChange: vscode.Event<SettingsChange>;
  readonly #changed = this.own(new vscode.EventEmitter<SettingsChange>());
  readonly #shapes: { readonly [N in SettingName]: SettingShape<SettingValues[N]> };
  readonly #report: ReportProblem;
  readonly #reported = new Set<string>();

  /**
   * @param manifest the extension's `package.json`, as in `context.extension.packageJSON`.
   * @param report called once for each problem of a value.
   */
  constructor(manifest: unknown, report: ReportProblem) {
    super();
    this.#report = report;
    this.connectionDefaults = readConnectionDefaults(manifest);
    this.#shapes = settingShapes(this.connectionDefaults);
    this.onDidChange = this.#changed.event;
    this.own(
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (!event.affectsConfiguration(section)) return;
        this.#changed.fire({ affects: (name) => event.affectsConfiguration(settingId(name)) });
      }),
    );
    this.own(
      vscode.workspace.onDidGrantWorkspaceTrust(() => this.#changed.fire({ affects: (name) => name === 'connection' })),
    );
  }

  get<N extends SettingName>(name: N): SettingValues[N] {
    return this.getAs(name, this.#shapes[name]);
  }

  /** Returns the value decoded by a shape that is loaded on demand. */
  getAs<T>(name: SettingName, shape: SettingShape<T>): T {
    const reading = shape.read(written(name));
    for (const problem of reading.problems) this.#reportOnce(name, problem);
    if (reading.value !== undefined) return reading.value;
    const fallback = shape.read(inspectSetting(name)?.defaultValue);
    if (fallback.value === undefined) throw new Error(`package.json declares no usable default for ${settingId(name)}`);
    return fallback.value;
  }

  /** Returns the value in the user's own settings, ignoring the folder's. */
  getOfUser<N extends SettingName>(name: N): SettingValues[N] {
    const shape: SettingShape<SettingValues[N]> = this.#shapes[name];
    const inspected = inspectSetting(name);
    return shape.read(inspected?.globalValue ?? inspected?.defaultValue).value ?? this.get(name);
  }

  /** True if a trusted folder or workspace sets `connection`. */
  get connectionChosenByFolder(): boolean {
    return vscode.workspace.isTrusted && inspectSetting('connection')?.workspaceValue !== undefined;
  }

  #reportOnce(name: SettingName, problem: string): void {
    const what = `${name}: ${problem}`;
    if (this.#reported.has(what)) return;
    this.#reported.add(what);
    this.#report(name, problem);
  }
}

/**
 * Returns the effective value. Settings that decide where a key is sent never come from a folder; its choice of a connection only once it
 * is trusted.
 */
function written(name: SettingName): unknown {
  const ofUserAlone = name === 'connections' || (name === 'connection' && !vscode.workspace.isTrusted);
  if (!ofUserAlone) return vscode.workspace.getConfiguration(section).get(name);
  const inspected = inspectSetting(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** Returns the undecoded values of a setting, by scope. */
export function inspectSetting(name: SettingName): ReturnType<vscode.WorkspaceConfiguration['inspect']> {
  return vscode.workspace.getConfiguration(section).inspect(name);
}
