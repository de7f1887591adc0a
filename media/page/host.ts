import { attempt, Undecodable } from '../../src/domain/decode/decoder.ts';
import {
  hostToPage,
  storedPageState,
  pageState,
  type HostToPage,
  type PageState,
  type PageToHost,
} from '../../src/domain/protocol.ts';

/** The extension host, as a page sees it. */
export interface Host {
  send(message: PageToHost): void;
  /** The state that the page saved before it was last disposed; empty when there is none or it cannot be decoded. */
  loadState(): PageState;
  saveState(state: PageState): void;
}

/** Connects to the host, reports that the page is ready, and passes on decoded messages. Invalid messages are reported and dropped. */
export function connectHost(onMessage: (message: HostToPage) => void): Host {
  const api = acquireVsCodeApi();
  const send = (message: PageToHost): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's function of this name takes none
    api.postMessage(message);
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = attempt(hostToPage, data);
    if (message instanceof Undecodable) send({ type: 'dropped', why: message.message });
    else onMessage(message);
  });
  send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  return {
    send,
    loadState: () => {
      const state = attempt(pageState, api.getState());
      return state instanceof Undecodable ? { job: undefined, compared: undefined, unfolded: [], scrollY: 0 } : state;
    },
    saveState: (state) => {
      api.setState(storedPageState(state));
    },
  };
}
