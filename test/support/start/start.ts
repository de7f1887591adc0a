import { temporaryFolder } from '../editor/ownedFolder.ts';
import { startEditor } from '../editor/startEditor.ts';
import { packExtension } from '../extensions/packExtension.ts';
import { build } from '../run/buildExtension.ts';
import { packageVsix } from '../run/packageVsix.ts';
import { runMain } from '../run/runMain.ts';
import { copyExampleWorkspace } from './exampleWorkspace.ts';
import { firstSight } from './firstSight.ts';
import { openInBrowser } from './openInBrowser.ts';
import { requireFreePort } from './requireFreePort.ts';
import { readStartArguments, startHelp } from './startArguments.ts';
import { startDesktop } from './startDesktop.ts';

const userSettings = { 'transcriptionJobs.connection': 'Sample' };

await runMain(async () => {
  const { help, port, jobs, incident, desktop } = readStartArguments(process.argv.slice(2));
  if (help) {
    console.log(startHelp);
    return 0;
  }
  await requireFreePort(port);
  console.log('Building and packaging …');
  await build(false);
  const vsixes = [await packageVsix(), await packExtension(temporaryFolder().path, firstSight)];
  const folder = copyExampleWorkspace();
  const env: Record<string, string> = {
    ...(jobs !== undefined && { TRANSCRIPTION_SAMPLE_JOBS: String(jobs) }),
    ...(incident && { TRANSCRIPTION_SAMPLE_INCIDENT: '1' }),
  };
  if (desktop) {
    await startDesktop({ vsixes, folder, userSettings, env });
    return 0;
  }
  const editor = await startEditor({ extensionVsix: vsixes, folder, userSettings, port, env });
  console.log(`The editor is at ${editor.url}`);
  if (openInBrowser(editor.url)) console.log('It opens in your browser.');
  console.log('Press Ctrl-C to stop it.');
  await editor.crashed;
  console.error(
    `${editor.output().trim()}\nThe editor server has ended by itself, with the words above; start it again.`,
  );
  return 1;
});
