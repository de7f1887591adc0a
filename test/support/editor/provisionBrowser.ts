import { existsSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { atomicFolder } from './atomicFolder.ts';
import { defaultCacheDir } from './provisionEditor.ts';
import { repositoryRoot } from './repositoryRoot.ts';
import { runTool } from './runTool.ts';
import { UserError } from './userError.ts';

/** A Chromium-based browser and the environment variables that it needs. */
export interface ProvisionedBrowser {
  readonly executable: string;
  readonly env: Readonly<Record<string, string>>;
}

const advice = 'Install Chrome, Chromium or Edge, or set CHROME_PATH to the executable of one.';

/**
 * Finds a browser: `CHROME_PATH`, else an installed Chrome, Chromium or Edge, else the one in the npm package
 * `@sparticuz/chromium`, which runs on a plain Linux x64.
 * @throws UserError if there is none
 */
export async function provisionBrowser(cacheDir = defaultCacheDir): Promise<ProvisionedBrowser> {
  const chosen = process.env['CHROME_PATH'];
  if (chosen !== undefined && chosen !== '') {
    if (await runs({ executable: chosen, env: {} })) return { executable: chosen, env: {} };
    throw new UserError(`CHROME_PATH is ${chosen}, which does not run. ${advice}`);
  }
  for (const executable of installed()) {
    if (await runs({ executable, env: {} })) return { executable, env: {} };
  }
  if (process.platform !== 'linux' || process.arch !== 'x64') throw new UserError(`No browser found. ${advice}`);
  return packaged(cacheDir);
}

function installed(): string[] {
  const { env, platform } = process;
  switch (platform) {
    case 'darwin':
      return ['Google Chrome', 'Chromium', 'Microsoft Edge']
        .map((name) => `/Applications/${name}.app/Contents/MacOS/${name}`)
        .filter((path) => existsSync(path));
    case 'win32':
      return [env['PROGRAMFILES'], env['PROGRAMFILES(X86)'], env['LOCALAPPDATA']]
        .filter((folder) => folder !== undefined)
        .flatMap((folder) => [
          join(folder, 'Google/Chrome/Application/chrome.exe'),
          join(folder, 'Chromium/Application/chrome.exe'),
          join(folder, 'Microsoft/Edge/Application/msedge.exe'),
        ])
        .filter((path) => existsSync(path));
    default: {
      const folders = (env['PATH'] ?? '').split(delimiter);
      return ['google-chrome', 'google-chrome-stable', 'chromium', 'chromium-browser', 'microsoft-edge']
        .flatMap((name) => folders.map((folder) => join(folder, name)))
        .filter((path) => existsSync(path));
    }
  }
}

/** Unpacks the packaged browser into the cache instead of the shared temporary folder, its default. */
async function packaged(cacheDir: string): Promise<ProvisionedBrowser> {
  const packageFolder = join(repositoryRoot, 'node_modules/@sparticuz/chromium');
  const manifest: unknown = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8'));
  const { version } = manifest as { readonly version: string };
  const folder = await atomicFolder({
    cacheDir,
    key: `chromium-${version}`,
    make: async (fresh) => {
      const script = join(repositoryRoot, 'test/support/editor/unpackBrowser.ts');
      const { code, stderr } = await runTool(process.execPath, [script], { env: { ...process.env, TMPDIR: fresh } });
      if (code !== 0) throw new UserError(`The browser in @sparticuz/chromium could not be unpacked: ${stderr}`);
    },
  });
  const executable = join(folder, 'chromium');
  const fonts: Record<string, string> = existsSync('/etc/fonts/fonts.conf')
    ? {}
    : { FONTCONFIG_PATH: join(folder, 'fonts') };
  const plain = { executable, env: fonts };
  if (await runs(plain)) return plain;
  // A minimal system lacks libraries that the package includes.
  const supplied = { executable, env: { ...fonts, LD_LIBRARY_PATH: join(folder, 'al2023/lib') } };
  if (await runs(supplied)) return supplied;
  throw new UserError(`The browser in @sparticuz/chromium does not run on this system. ${advice}`);
}

async function runs({ executable, env }: ProvisionedBrowser): Promise<boolean> {
  // Windows browsers open a window instead of printing their version.
  if (process.platform === 'win32') return existsSync(executable);
  const result = await runTool(executable, ['--version'], { env: { ...process.env, ...env } }).catch(() => undefined);
  return result?.code === 0;
}
