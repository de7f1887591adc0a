import type { SampleService } from '../../../src/sample/sampleService.ts';
import { temporaryFolder } from '../../support/editor/ownedFolder.ts';
import { packExtension, type SmallExtension } from '../../support/extensions/packExtension.ts';
import { openWorkbench, type WorkbenchSession } from '../../support/workbench/openWorkbench.ts';

/**
 * Opens a workbench with the product, connected to a service, and an extension to compare it with. Auto-refresh is off.
 */
export async function openBeside(
  vsix: string,
  other: SmallExtension,
  { baseUrl, key }: SampleService,
  userSettings: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<WorkbenchSession> {
  const folder = temporaryFolder();
  try {
    return await openWorkbench({
      extensionVsix: [vsix, await packExtension(folder.path, other)],
      userSettings: {
        'transcriptionJobs.connections': [{ name: 'Bench', baseUrl }],
        'transcriptionJobs.connection': 'Bench',
        'transcriptionJobs.autoRefresh.intervalSeconds': 0,
        ...userSettings,
      },
      env: { ...env, TRANSCRIPTION_API_KEY: key, TRANSCRIPTION_BASE_URL: baseUrl },
    });
  } finally {
    folder.remove();
  }
}
