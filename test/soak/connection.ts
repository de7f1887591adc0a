import assert from 'node:assert/strict';
import { isReached, until } from '../support/until.ts';
import type { Action } from './actions/action.ts';
import type { SoakWindow } from './soakWindow.ts';

/** The setting that selects a connection. */
export const connectionSetting = 'transcriptionJobs.connection';
/** Max time until rows are shown on a busy machine. */
const connectedMs = 60_000;
const rowMs = 2_000;

/** Removes the connection and waits until the view shows it. */
export async function disconnect({ probe, workbench, texts }: SoakWindow): Promise<void> {
  await probe.set(connectionSetting, '');
  const connecting = texts.button('welcome.chooseConnection', 'transcriptionJobs.connect');
  await workbench.welcome.getByRole('button', { name: connecting }).waitFor();
}

/**
 * Restores the connection and waits until its row is shown, above all others: rows that need attention may leave no room for the kinds, and
 * the expanded rows depend on earlier actions.
 */
export async function connect(window: SoakWindow): Promise<void> {
  const { probe, tree, service, workbench } = window;
  const { name } = service;
  await probe.set(connectionSetting, name);
  const row = tree.row(new RegExp(`^\\s*${name}`)).first();
  try {
    await until(
      'the connection is shown',
      async () => {
        // The view may be scrolled as before.
        if (await isReached(tree.root.hover({ timeout: rowMs }))) await workbench.page.mouse.wheel(0, -100_000);
        return isReached(row.waitFor({ timeout: rowMs }));
      },
      undefined,
      connectedMs,
    );
  } catch (error) {
    await window.picture('not-connected');
    throw new Error(`${window.name}: the connection is not shown`, { cause: error });
  }
}

/** Wraps an action that must leave the connection unchanged: on another one, later comparisons would be meaningless. */
export function staying(action: Action): Action {
  return async (window) => {
    try {
      await action(window);
    } finally {
      assert.equal(await window.probe.get(connectionSetting), window.service.name, 'the connection is another');
    }
  };
}
