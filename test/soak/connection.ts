import type { SoakWindow } from './soakWindow.ts';

const setting = 'transcriptionJobs.connection';

/** Removes the connection and waits until the view shows it. */
export async function disconnect({ probe, workbench }: SoakWindow): Promise<void> {
  await probe.set(setting, '');
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).waitFor();
}

/**
 * Restores the connection and waits until the kinds are shown; which of them are expanded depends on earlier actions.
 */
export async function connect({ probe, tree }: SoakWindow): Promise<void> {
  await probe.set(setting, 'Remote');
  await tree
    .row(/^Pre-recorded/)
    .first()
    .waitFor();
}
