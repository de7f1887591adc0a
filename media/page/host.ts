import { attempt, Undecodable } from '../../src/base/decode/decoder.ts';
import {
  hostToPage,
  storedPageState,
  pageState,
  type HostToPage,
  type PageState,
  type PageToHost,
} from '../../src/features/details/common/protocol.ts';
import { connectPage } from './connectPage.ts';

/** Connection of the page of a job or comparison to the extension host. */
export interface Host {
  send(message: PageToHost): void;
  /** Returns the state that the page saved before it was disposed; empty if there is none or it cannot be decoded. */
  loadState(): PageState;
  saveState(state: PageState): void;
}

/** Connects the page of a job or of a comparison to the host. */
export function connectHost(onMessage: (message: HostToPage) => void): Host {
  const { send, state } = connectPage<HostToPage, PageToHost>(hostToPage, onMessage);
  return {
    send,
    loadState: () => {
      const stored = attempt(pageState, state.getState());
      return stored instanceof Undecodable ? { job: undefined, compared: undefined, unfolded: [], scrollY: 0 } : stored;
    },
    saveState: (next) => {
      state.setState(storedPageState(next));
    },
  };
}
