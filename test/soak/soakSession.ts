import { Random } from '../../src/sample/random.ts';
import { temporaryFolder } from '../support/editor/ownedFolder.ts';
import type { EditorOptions } from '../support/editor/startEditor.ts';
import { setLanguage } from '../support/l10n/speak.ts';
import { openWorkbench, type WorkbenchSession } from '../support/workbench/openWorkbench.ts';
import { answerOnlyWhatWasAsked } from './answers.ts';
import { HostProbes } from './probe/hostProbe.ts';
import type { SoakSettings } from './soakSettings.ts';
import { SoakWindow, type SoakWindowParts } from './soakWindow.ts';
import { Texts, type Language } from './texts.ts';

/** Each stream has its own number, so that streams from the same seed differ. */
const streams = {
  churn: 1,
  weather: 2,
  englishWindow: 3,
  frenchWindow: 4,
  secondChurn: 5,
  secondWeather: 6,
  otherWindow: 7,
} as const;
type StreamName = keyof typeof streams;

/** A stream of random choices, reproducible from the seed. */
export function randomStream({ seed }: SoakSettings, name: StreamName): Random {
  return new Random(seed * 16 + streams[name]);
}

/** An editor with several windows, and a probe in each extension host. */
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

/** A window to open. */
export interface WindowPlan extends Pick<SoakWindowParts, 'name' | 'folder' | 'service'> {
  readonly language: Language;
  /** Of the random choices. */
  readonly stream: StreamName;
}

/** Starts the editor and opens the windows one after another, English ones first. */
export async function openSoakSession(
  settings: SoakSettings,
  { pack, userSettings = {}, env }: SoakedExtension,
  plans: readonly [WindowPlan, ...WindowPlan[]],
): Promise<SoakSession> {
  const temporary = temporaryFolder();
  const probes = new HostProbes(temporary.path);
  const session = await openWorkbench({
    extensionVsix: [await pack(temporary.path), await probes.pack()],
    userSettings,
    env: { ...env, ...probes.env },
    folder: plans[0].folder,
  });
  const { snapshots } = settings;
  const windows: SoakWindow[] = [];
  for (const { name, language, stream, folder, service } of plans) {
    if (language !== 'en') setLanguage(session.editor, language);
    const workbench = windows.length === 0 ? session.workbench : await session.openWindow(folder);
    await answerOnlyWhatWasAsked(workbench.page);
    windows.push(
      new SoakWindow({
        name,
        workbench,
        probe: await probes.next(),
        random: randomStream(settings, stream),
        texts: new Texts(language),
        snapshots,
        folder,
        service,
      }),
    );
  }
  return {
    session,
    windows,
    close: async () => {
      await session.close();
      temporary.remove();
    },
  };
}
