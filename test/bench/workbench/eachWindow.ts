import type { WorkbenchSession } from '../../support/workbench/openWorkbench.ts';
import type { Workbench } from '../../support/workbench/workbench.ts';

/**
 * Runs `body` in several windows of a session, one after another; each window is closed before the next opens.
 * @param body receives the window's number, from 0.
 */
export async function eachWindow(
  session: WorkbenchSession,
  count: number,
  body: (workbench: Workbench, window: number) => Promise<unknown>,
): Promise<void> {
  for (let window = 0; window < count; window++) {
    const workbench = window === 0 ? session.workbench : await session.openWindow();
    await body(workbench, window);
    await workbench.page.close();
  }
}
