import type { SoakWindow } from './soakWindow.ts';

const setting = 'transcriptionJobs.connection';

/** Takes the connection away, and waits until the view says so. */
export async function disconnect({ probe, workbench }: SoakWindow): Promise<void> {
  await probe.set(setting, '');
  await workbench.welcome.getByRole('button', { name: 'Connect to a service' }).waitFor();
}

/** Chooses the service again, and waits until its kinds are there: which of them are open depends on what was done. */
export async function connect({ probe, tree }: SoakWindow): Promise<void> {
  await probe.set(setting, 'Remote');
  await tree
    .row(/^Pre-recorded/)
    .first()
    .waitFor();
}
