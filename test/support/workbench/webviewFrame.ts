import type { Frame, FrameLocator, Page } from 'playwright-core';
import { stateMs, until } from '../until.ts';

/** Interval between searches for a webview. */
const pauseMs = 50;

/** The document inside the webview with this title. A webview is a frame that contains the frame with the document. */
export async function webviewFrame(page: Page, title: string | RegExp, boundMs = stateMs): Promise<FrameLocator> {
  const look = async (): Promise<string | undefined> => {
    for (const frame of page.frames()) {
      const name = await outerName(frame, title);
      if (name !== undefined) return name;
    }
    return undefined;
  };
  const outer = await until(`a webview with the title ${String(title)}`, look, pauseMs, boundMs);
  // Uses locators, which stay valid when the webview replaces its document.
  return page.frameLocator(`iframe.webview[name="${outer}"]`).frameLocator('#active-frame');
}

async function outerName(frame: Frame, title: string | RegExp): Promise<string | undefined> {
  const parent = frame.parentFrame();
  if (parent?.parentFrame() !== frame.page().mainFrame()) return undefined;
  try {
    const element = await frame.frameElement();
    const found = await element.getAttribute('title');
    const matches = typeof title === 'string' ? found === title : title.test(found ?? '');
    return matches ? ((await (await parent.frameElement()).getAttribute('name')) ?? undefined) : undefined;
  } catch {
    // The frame was removed meanwhile.
    return undefined;
  }
}
