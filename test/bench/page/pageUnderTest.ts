import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';

/** Replaces the editor around the page: accepts all messages and stores nothing. */
const editor = `globalThis.acquireVsCodeApi = () => ({ postMessage() {}, getState() {}, setState() {} });`;
const still = `addEventListener('message', ({ data }) => { if ('html' in data) document.body.innerHTML = data.html; });`;

/** Opens the details page as it ships, in a browser without the editor. */
export async function livePage(browser: Browser, builtRoot: string): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent(documentOf(builtRoot, `${editor}${file(builtRoot, 'js')}`));
  return page;
}

/** Opens a page with the same style sheet that only displays the HTML it is sent. */
export async function staticPage(browser: Browser, builtRoot: string): Promise<Page> {
  const page = await browser.newPage();
  await page.setContent(documentOf(builtRoot, still));
  return page;
}

/** Sends a message and waits until the change is painted. @returns milliseconds. */
export async function msToPaint(page: Page, message: object): Promise<number> {
  await page.bringToFront();
  // A task posted from the animation frame runs after the frame has been submitted.
  return page.evaluate<number>(`new Promise((resolve) => {
    const message = ${JSON.stringify(message)};
    const { port1, port2 } = new MessageChannel();
    let startMs;
    port1.onmessage = () => resolve(performance.now() - startMs);
    addEventListener('message', () => requestAnimationFrame(() => port2.postMessage(undefined)), { once: true });
    requestAnimationFrame(() => {
      startMs = performance.now();
      postMessage(message, '*');
    });
  })`);
}

/**
 * Scrolls a page by a quarter of its height with each frame, back and forth.
 * @returns the number of dropped frames, at 60 a second.
 */
export async function droppedWhileScrolling(page: Page, frames: number): Promise<number> {
  await page.bringToFront();
  return page.evaluate<number>(`new Promise((resolve) => {
    const frameMs = 1000 / 60;
    const deltas = [];
    let by = innerHeight / 4;
    let lastMs;
    const step = (nowMs) => {
      if (lastMs !== undefined) deltas.push(nowMs - lastMs);
      lastMs = nowMs;
      const before = scrollY;
      scrollBy(0, by);
      if (scrollY === before) by = -by;
      if (deltas.length < ${frames}) requestAnimationFrame(step);
      else resolve(deltas.reduce((sum, each) => sum + Math.max(0, Math.round(each / frameMs) - 1), 0));
    };
    requestAnimationFrame(step);
  })`);
}

function documentOf(builtRoot: string, script: string): string {
  const code = script.replaceAll('</script', String.raw`<\/script`);
  return `<!DOCTYPE html><html lang="en"><style>${file(builtRoot, 'css')}</style><body><script>${code}</script></body></html>`;
}

function file(builtRoot: string, ending: 'js' | 'css'): string {
  return readFileSync(join(builtRoot, 'dist/page', `job.page.${ending}`), 'utf8');
}
