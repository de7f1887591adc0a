import { Random } from '../../src/sample/random.ts';
import { temporaryFolder } from '../support/editor/ownedFolder.ts';
import type { EditorOptions } from '../support/editor/startEditor.ts';
import { setLanguage } from '../support/l10n/speak.ts';
import { copyExampleWorkspace } from '../support/start/exampleWorkspace.ts';
import { openWorkbench, type WorkbenchSession } from '../support/workbench/openWorkbench.ts';
import type { Workbench } from '../support/workbench/workbench.ts';
import { answerOnlyWhatWasAsked } from './answers.ts';
import { HostProbes } from './probe/hostProbe.ts';
import type { SoakSettings } from './soakSettings.ts';
import { SoakWindow } from './soakWindow.ts';
import { Texts, type Language } from './texts.ts';

/** Each stream has its own number, so that streams from the same seed differ. */
const streams = { churn: 1, weather: 2, firstWindow: 3, secondWindow: 4 } as const;

/** A stream of random choices, reproducible from the seed. */
export function randomStream({ seed }: SoakSettings, name: keyof typeof streams): Random {
  return new Random(seed * 16 + streams[name]);
}

/** An editor with two windows on the example workspace, and a probe in each extension host. */
export interface SoakSession {
  readonly session: WorkbenchSession;
  readonly windows: readonly SoakWindow[];
  readonly close: () => Promise<void>;
}

/** The extension under test. */
export interface SoakedExtension extends Pick<EditorOptions, 'userSettings' | 'env'> {
  /** Packages the extension. @returns the path of the VSIX. */
  readonly pack: (folder: string) => string | Promise<string>;
}

/** Starts the editor and opens both windows, the second in French. */
export async function openSoakSession(
  settings: SoakSettings,
  { pack, userSettings = {}, env }: SoakedExtension,
): Promise<SoakSession> {
  const folder = temporaryFolder();
  const probes = new HostProbes(folder.path);
  const session = await openWorkbench({
    extensionVsix: [await pack(folder.path), await probes.pack()],
    userSettings,
    env: { ...env, ...probes.env },
    folder: copyExampleWorkspace(),
  });
  const { snapshots } = settings;
  const windowOf = async (
    name: string,
    workbench: Workbench,
    random: Random,
    language: Language,
  ): Promise<SoakWindow> => {
    await answerOnlyWhatWasAsked(workbench.page);
    return new SoakWindow({
      name,
      workbench,
      probe: await probes.next(),
      random,
      texts: new Texts(language),
      snapshots,
    });
  };
  const first = await windowOf('first window', session.workbench, randomStream(settings, 'firstWindow'), 'en');
  setLanguage(session.editor, 'fr');
  const beside = await session.openWindow();
  const second = await windowOf('second window', beside, randomStream(settings, 'secondWindow'), 'fr');
  return {
    session,
    windows: [first, second],
    close: async () => {
      await session.close();
      folder.remove();
    },
  };
}
