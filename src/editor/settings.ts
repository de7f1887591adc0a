import * as vscode from 'vscode';
import { readConnectionDefaults, type ConnectionDefaults } from '../domain/connection/connection.ts';
import { DisposableOwner } from '../service/disposable.ts';
import type { SettingShape } from '../domain/settings/settingShape.ts';
import { settingShapes, type SettingName, type SettingValues } from '../domain/settings/settingShapes.ts';
import { section, settingId } from './ids.ts';
import type { Locale } from '../domain/format.ts';

/** Which settings may read differently now. */
export interface SettingsChange {
  affects(name: SettingName): boolean;
}

/** Tells the user why a setting's value cannot be used. @param problem a sentence, localised. */
export type TellProblem = (name: SettingName, problem: string) => void;

/**
 * The settings `transcriptionJobs.*`, decoded. What cannot be used is said once and replaced by the default of `package.json`.
 * Connections are taken from the user alone; a folder may choose one by name, once it is trusted.
 */
export class Settings extends DisposableOwner {
  /** What a connection may leave unsaid, from `package.json`. */
  readonly connectionDefaults: ConnectionDefaults;
  readonly onDidChange: vscode.Event<SettingsChange>;
  readonly #changed = this.own(new vscode.EventEmitter<SettingsChange>());
  readonly #shapes: { readonly [N in SettingName]: SettingShape<SettingValues[N]> };
  readonly #tell: TellProblem;
  readonly #told = new Set<string>();

  /**
   * @param manifest the extension's `package.json`, as `context.extension.packageJSON` has it.
   * @param tell called once for each problem that a value has.
   */
  constructor(manifest: unknown, tell: TellProblem) {
    super();
    this.#tell = tell;
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
    const shape: SettingShape<SettingValues[N]> = this.#shapes[name];
    const reading = shape.read(written(name));
    for (const problem of reading.problems) this.#tellOnce(name, problem);
    if (reading.value !== undefined) return reading.value;
    const fallback = shape.read(inspectSetting(name)?.defaultValue);
    if (fallback.value === undefined) throw new Error(`package.json declares no usable default for ${settingId(name)}`);
    return fallback.value;
  }

  /** What the user's own settings say, whatever the folder says. */
  getOfUser<N extends SettingName>(name: N): SettingValues[N] {
    const shape: SettingShape<SettingValues[N]> = this.#shapes[name];
    const inspected = inspectSetting(name);
    return shape.read(inspected?.globalValue ?? inspected?.defaultValue).value ?? this.get(name);
  }

  /** Whether the folder or workspace says what `connection` is, and is listened to. */
  get connectionChosenByFolder(): boolean {
    return vscode.workspace.isTrusted && inspectSetting('connection')?.workspaceValue !== undefined;
  }

  #tellOnce(name: SettingName, problem: string): void {
    const what = `${name}: ${problem}`;
    if (this.#told.has(what)) return;
    this.#told.add(what);
    this.#tell(name, problem);
  }
}

/** The value that counts. What decides where a key goes never comes from a folder, its choice of a connection only once it is trusted. */
function written(name: SettingName): unknown {
  const ofUserAlone = name === 'connections' || (name === 'connection' && !vscode.workspace.isTrusted);
  if (!ofUserAlone) return vscode.workspace.getConfiguration(section).get(name);
  const inspected = inspectSetting(name);
  return inspected?.globalValue ?? inspected?.defaultValue;
}

/** What is written where of one of our settings, undecoded. */
export function inspectSetting(name: SettingName): ReturnType<vscode.WorkspaceConfiguration['inspect']> {
  return vscode.workspace.getConfiguration(section).inspect(name);
}

/** How the user reads dates and numbers: in the editor's language, by this machine's clock. */
export const locale: Locale = { language: vscode.env.language, timeZone: undefined };
