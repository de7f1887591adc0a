import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { after, afterEach, before, type TestContext } from 'node:test';
import { temporaryFolder } from '../editor/ownedFolder.ts';
import { repositoryRoot } from '../editor/repositoryRoot.ts';
import { onShutdown } from '../editor/shutdown.ts';
import { quietExtensions } from '../editor/quietExtensions.ts';
import type { EditorOptions } from '../editor/startEditor.ts';
import type { SmallExtension } from '../extensions/packExtension.ts';
import { openWorkbench, openWorkbenchOf, type WorkbenchSession } from './openWorkbench.ts';
import { testedExtensions } from './packagedExtension.ts';
import { secretTraces } from './secretTraces.ts';
import { enterSharedEditor, sharedEditor } from './sharedEditor.ts';

/** Options for the tests of a file. The packaged extension is installed, and the folder is a copy that may be changed. */
export interface WorkbenchTestOptions extends Omit<EditorOptions, 'extensionVsix' | 'extensionsDir' | 'folder'> {
  /**
   * Folder to copy, relative to the repository's root; by default the example workspace, `null` for an empty window.
   */
  readonly workspace?: string | null;
  /** Extensions to install in addition to the product. */
  readonly besides?: readonly SmallExtension[];
  /** API keys that the tests use, in addition to the one in `env`: none may be found anywhere after the tests. */
  readonly secrets?: readonly string[];
}

/** The session of a test file; available while tests run. */
export interface WorkbenchTests {
  (): WorkbenchSession & { readonly folder: string };
}

const results = join(repositoryRoot, 'out/test-results/ui');

/**
 * Provides the tests of the calling file with one workbench in a new profile, and closes it afterwards. The editor is the one of the file's
 * world, or its own if the file is run alone or belongs to none. For a failed test, a screenshot, the browser's console and the editor's
 * logs are stored in `out/test-results/ui/<file>/<test>/`.
 */
export function useWorkbench(testFile: string, options: WorkbenchTestOptions = {}): WorkbenchTests {
  let session: (WorkbenchSession & { readonly folder: string }) | undefined;
  let forget = (): void => {};
  const temporary = temporaryFolder();
  const folder = join(temporary.path, 'requests');
  const { workspace = 'test/fixtures/workspace', besides = [], secrets = [], ...editorOptions } = options;
  const lent = editorOptions.env?.['TRANSCRIPTION_API_KEY'];
  const keys = lent === undefined ? secrets : [...secrets, lent];
  const end = async (): Promise<void> => {
    await session?.close();
    temporary.remove();
    forget();
  };

  before(async () => {
    forget = onShutdown(end);
    if (workspace !== null) cpSync(join(repositoryRoot, workspace), folder, { recursive: true });
    const open = { ...editorOptions, ...(workspace !== null && { folder }) };
    const shared = sharedEditor();
    const opened =
      shared === undefined
        ? await openWorkbench({
            builtinExtensions: quietExtensions,
            ...open,
            ...(await testedExtensions(besides, temporary.path)),
          })
        : await openWorkbenchOf(await enterSharedEditor(shared, open));
    session = { ...opened, folder };
  });
  afterEach(async (context) => {
    if (session && !passed(context))
      await keepEvidence(session, join(results, basename(testFile, '.test.ts'), slug(context)));
  });
  after(async () => {
    try {
      if (session !== undefined) {
        assert.deepEqual(await secretTraces(session, folder, keys), [], 'no key was left behind');
        const refused = session.journal.errors.filter((text) => /Content[- ]Security[- ]Policy/i.test(text));
        assert.deepEqual(refused, [], 'no page was refused anything by its policy');
      }
    } finally {
      await end();
    }
  });

  return () => session ?? fail();
}

function passed(context: unknown): boolean {
  return (context as TestContext & { readonly passed?: boolean }).passed === true;
}

function slug(context: unknown): string {
  const { fullName } = context as TestContext;
  return fullName.replaceAll(/[^\w]+/g, '-').slice(0, 80);
}

async function keepEvidence({ workbench, journal, editor }: WorkbenchSession, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  await workbench.page.screenshot({ path: join(folder, 'screenshot.png') }).catch(() => {});
  writeFileSync(join(folder, 'console.log'), journal.console.join('\n'));
  writeFileSync(join(folder, 'errors.log'), journal.errors.join('\n'));
  writeFileSync(join(folder, 'server.log'), editor.output());
  const logs = join(editor.dataDir, 'data/logs');
  if (existsSync(logs)) cpSync(logs, join(folder, 'logs'), { recursive: true });
  console.log(`evidence of the failure: ${folder}`);
}

function fail(): never {
  throw new Error('the workbench exists only while tests run');
}
