import { chromium, type Browser } from 'playwright-core';
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

/**
 * Starts a headless browser that makes no network requests of its own. The caller closes it.
 * @param more additional switches
 */
export async function launchBrowser(more: readonly string[] = []): Promise<Browser> {
  const { executable, env } = await provisionBrowser();
  const browser = await chromium.launch({
    executablePath: executable,
    args: [...switches, ...more],
    env: { ...definedEnv(), ...env },
    // Playwright would end this process before everything else has stopped.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  browser.once(
    'disconnected',
    onShutdown(() => browser.close()),
  );
  return browser;
}

function definedEnv(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}
