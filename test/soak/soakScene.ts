import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyExampleWorkspace } from '../support/start/exampleWorkspace.ts';
import { packagedExtension } from '../support/workbench/packagedExtension.ts';
import { connectionSetting } from './connection.ts';
import { startSoakService, type SoakService } from './service/soakService.ts';
import { openSoakSession, randomStream, type SoakSession } from './soakSession.ts';
import type { SoakSettings } from './soakSettings.ts';
import type { SoakWindow } from './soakWindow.ts';

/** Services that constantly change, and an editor with windows on them: two on the first, one on the second. */
export interface SoakScene extends SoakSession {
  readonly services: readonly SoakService[];
}

/** Sets everything up with connected windows and healthy services. Nothing changes until it is started. */
export async function soakScene(settings: SoakSettings): Promise<SoakScene> {
  const first = await startSoakService('Remote', {
    churn: randomStream(settings, 'churn'),
    weather: randomStream(settings, 'weather'),
  });
  const second = await startSoakService('Second', {
    churn: randomStream(settings, 'secondChurn'),
    weather: randomStream(settings, 'secondWeather'),
  });
  const shared = copyExampleWorkspace();
  const session = await openSoakSession(
    settings,
    {
      pack: packagedExtension,
      userSettings: {
        ...first.remote.userSettings,
        'transcriptionJobs.connections': [first.remote.connection, second.remote.connection],
        'transcriptionJobs.autoRefresh.intervalSeconds': 5,
      },
      env: first.remote.env,
    },
    [
      { name: 'English window', language: 'en', stream: 'englishWindow', folder: shared, service: first },
      {
        name: 'second-service window',
        language: 'en',
        stream: 'otherWindow',
        folder: folderOn(second),
        service: second,
      },
      { name: 'French window', language: 'fr', stream: 'frenchWindow', folder: shared, service: first },
    ],
  );
  // The environment has the key of one service only.
  for (const window of session.windows) if (window.service === second) await enterKey(window);
  return {
    ...session,
    services: [first, second],
    close: async () => {
      await session.close();
      await first.stop();
      await second.stop();
    },
  };
}

/** Creates an example workspace whose settings select the connection of a service. */
function folderOn({ name }: SoakService): string {
  const folder = copyExampleWorkspace();
  mkdirSync(join(folder, '.vscode'));
  writeFileSync(join(folder, '.vscode/settings.json'), JSON.stringify({ [connectionSetting]: name }));
  return folder;
}

async function enterKey(window: SoakWindow): Promise<void> {
  const { workbench, texts, service } = window;
  await workbench.showView(texts.title('displayName'));
  await workbench.welcome
    .getByRole('button', { name: texts.button('welcome.noKey', 'transcriptionJobs.setApiKey') })
    .click();
  await workbench.quickInput.shown(texts.start('API Key of {0}'));
  await workbench.quickInput.input.fill(service.sample.key);
  await window.accept('API Key of {0}');
  await workbench.quickInput.hidden();
}
