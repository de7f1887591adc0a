import { basename, dirname } from 'node:path';
import { agent } from '../extensions/agent.ts';
import { packExtension, type SmallExtension } from '../extensions/packExtension.ts';
import { selecting } from '../extensions/selecting.ts';
import { browserVariable, launchSharedBrowser } from '../editor/launchBrowser.ts';
import { installExtensions } from '../editor/installExtensions.ts';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { provisionEditor } from '../editor/provisionEditor.ts';
import { quietExtensions } from '../editor/quietExtensions.ts';
import { startEditor } from '../editor/startEditor.ts';
import { newServiceAddress, serviceEnv } from '../remote/serviceAddress.ts';
import { editorVariable } from '../workbench/openWorkbench.ts';
import { packagedExtension } from '../workbench/packagedExtension.ts';
import { sharedEditorVariable, type SharedEditor } from '../workbench/sharedEditor.ts';
import { runNodeTests } from './nodeTests.ts';
import type { Selection } from './selectTests.ts';
import { add, noTests, type Totals } from './totals.ts';

/** Timeout of a test that hangs: far longer than any test takes on the slowest machine. */
const testMs = 600_000;
/** Groups of files that run at the same time. */
const concurrency = 2;
/** Files of a world that share an editor: so few that no group takes much longer than the others together. */
const maxFilesPerEditor = 4;

/** Folders of `test/ui` whose files share an editor, with the extensions that are installed in addition to the product. */
const worlds: Readonly<Record<string, readonly SmallExtension[]>> = { remote: [agent, selecting], sample: [] };

/**
 * Runs the workbench tests, all with the same installed package. The files of a world run one after another, four in an editor; every other
 * file starts its own.
 */
export async function runUiTests({ files, ...selection }: Selection, version: string): Promise<Totals> {
  const extensions = temporaryFolder();
  try {
    await installExtensions([packagedExtension()], extensions.path, await provisionEditor(version));
    const env = { TEST_EXTENSIONS: extensions.path, [editorVariable]: version };
    const run = (chosen: readonly string[], more: Readonly<Record<string, string>> = {}): Promise<Totals> =>
      runNodeTests({ ...selection, files: chosen, concurrency: 1, testMs, env: { ...env, ...more } });
    const worldOf = (file: string): string => basename(dirname(file));
    const groups = Object.keys(worlds).flatMap((world) =>
      chunk(files.filter((file) => worldOf(file) === world)).map(
        (chosen) => () => inWorld(world, version, (more) => run(chosen, more)),
      ),
    );
    const alone = files.filter((file) => !Object.hasOwn(worlds, worldOf(file)));
    return await runGroups([...groups, ...alone.map((file) => () => run([file]))]);
  } finally {
    extensions.remove();
  }
}

function chunk(files: readonly string[]): readonly (readonly string[])[] {
  const count = Math.ceil(files.length / maxFilesPerEditor);
  return Array.from({ length: count }, (_, index) =>
    files.slice(index * maxFilesPerEditor, (index + 1) * maxFilesPerEditor),
  );
}

/** Starts the editor of a world and a browser, and stops both afterwards. */
async function inWorld(
  world: string,
  version: string,
  run: (env: Readonly<Record<string, string>>) => Promise<Totals>,
): Promise<Totals> {
  const folder = temporaryFolder();
  const service = newServiceAddress();
  try {
    const besides = await Promise.all((worlds[world] ?? []).map((each) => packExtension(folder.path, each)));
    const editor = await startEditor({
      version,
      extensionVsix: [packagedExtension(), ...besides],
      builtinExtensions: quietExtensions,
      env: serviceEnv(service),
    });
    try {
      const browser = await launchSharedBrowser();
      const { port, dataDir, extensionsDir } = editor;
      const shared: SharedEditor = { port, dataDir, extensionsDir, service };
      try {
        return await run({
          [sharedEditorVariable]: JSON.stringify(shared),
          [browserVariable]: browser.wsEndpoint(),
        });
      } finally {
        await browser.close();
      }
    } finally {
      await editor.stop();
    }
  } finally {
    folder.remove();
  }
}

async function runGroups(groups: readonly (() => Promise<Totals>)[]): Promise<Totals> {
  let totals = noTests;
  const waiting = [...groups];
  const worker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      const ofGroup = await next();
      totals = add(totals, ofGroup);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
  return totals;
}
