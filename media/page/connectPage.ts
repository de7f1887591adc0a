import { attempt, Undecodable, type Decoder } from '../../src/base/decode/decoder.ts';
import type { PageHandshake } from '../../src/base/pageHandshake.ts';

/** Connection of a page to the extension host. */
export interface PageConnection<Sent> {
  readonly send: (message: Sent | PageHandshake) => void;
  /** State of the page that survives reloads of the window. */
  readonly state: Pick<ReturnType<typeof acquireVsCodeApi>, 'getState' | 'setState'>;
}

/** Connects to the host, reports that the page is ready, and passes on decoded messages. Invalid messages are reported and dropped. */
export function connectPage<Received, Sent>(
  decoder: Decoder<Received>,
  onMessage: (message: Received) => void,
): PageConnection<Sent> {
  const api = acquireVsCodeApi();
  const send = (message: Sent | PageHandshake): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's function of this name takes none
    api.postMessage(message);
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = attempt(decoder, data);
    if (message instanceof Undecodable) send({ type: 'dropped', why: message.message });
    else onMessage(message);
  });
  keepFocusInside();
  send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  return { send, state: api };
}

/**
 * Restores the focus when it returns to the page: the browser removes it from the element when it moves to another document, such as the
 * command palette.
 */
function keepFocusInside(): void {
  let last: Element | null = null;
  document.addEventListener('focusin', ({ target }) => {
    if (target instanceof Element) last = target;
  });
  window.addEventListener('focus', () => {
    const isNowhere = document.activeElement === null || document.activeElement === document.body;
    if (isNowhere && last instanceof HTMLElement && last.isConnected) last.focus({ preventScroll: true });
  });
}
