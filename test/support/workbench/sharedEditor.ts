import assert from 'node:assert/strict';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { windowUrl, writeSettings, type Editor, type EditorOptions } from '../editor/startEditor.ts';
import { serviceEnv, type ServiceAddress } from '../remote/serviceAddress.ts';

/** The environment variable with the editor that the test files of a world share, as JSON. */
export const sharedEditorVariable = 'TEST_SHARED_EDITOR';

/** An editor that runs outside the process of a test file. */
export interface SharedEditor {
  readonly port: number;
  readonly dataDir: string;
  readonly extensionsDir: string;
  /** The service whose key the editor has. */
  readonly service: ServiceAddress;
}

/** Returns the editor that this test file shares with others; undefined if it runs alone. */
export function sharedEditor(): SharedEditor | undefined {
  const given = process.env[sharedEditorVariable];
  return given === undefined ? undefined : (JSON.parse(given) as SharedEditor);
}

/**
 * Resets a shared editor: the profile on disk is empty except for the settings, and the rest of it is in the browser. `stop` ends only its
 * windows.
 */
export async function enterSharedEditor(
  { port, dataDir, extensionsDir, service }: SharedEditor,
  { folder, userSettings, env = {}, ...unshared }: Omit<EditorOptions, 'extensionVsix' | 'extensionsDir'>,
): Promise<Editor> {
  // The environment stays the same while the editor runs.
  for (const [name, value] of Object.entries(env)) assert.equal(value, serviceEnv(service)[name], name);
  assert.deepEqual(unshared, {}, 'options that an editor is started with; such a file has none to share');
  const stop = async (): Promise<void> => {
    await fetch(`http://127.0.0.1:${port}/end-windows`, { method: 'POST' });
  };
  await stop();
  for (const place of ['User', 'Machine']) rmSync(join(dataDir, 'data', place), { recursive: true, force: true });
  writeSettings(dataDir, userSettings);
  return {
    url: windowUrl(port, folder),
    port,
    dataDir,
    extensionsDir,
    output: () => '',
    crashed: new Promise(() => {}),
    stop,
  };
}
