import { chromium, type Browser, type BrowserServer, type LaunchOptions } from 'playwright-core';
import { onShutdown } from './shutdown.ts';
import { provisionBrowser } from './provisionBrowser.ts';

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** The environment variable with the address of a browser that test files share. */
export const browserVariable = 'TEST_BROWSER';

/**
 * Starts a headless browser that makes no network requests of its own, or connects to the one that test files share. The
 * caller closes it, which leaves a shared one running.
 * @param more additional switches, for a browser of its own
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const shared = more.length === 0 ? process.env[browserVariable] : undefined;
  const browser =
    shared === undefined ? await chromium.launch(await launchOptions(more)) : await chromium.connect(shared);
  browser.once(
    'disconnected',
    onShutdown(() => browser.close()),
  );
  return browser;
}

/** Starts a browser for other processes, see {@link browserVariable}. The caller closes it. */
export async function launchSharedBrowser(): Promise<BrowserServer> {
  const server = await chromium.launchServer({ ...(await launchOptions()), host: '127.0.0.1' });
  server.once(
    'close',
    onShutdown(() => server.close()),
  );
  return server;
}

async function launchOptions(more: readonly string[] = []): Promise<LaunchOptions> {
  const { executable, env } = await provisionBrowser();
  return {
    executablePath: executable,
    args: [...switches, ...more],
    env: { ...definedEnv(), ...env },
    // Playwright would end this process before everything else has stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  };
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
