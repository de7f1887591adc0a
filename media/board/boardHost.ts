import { attempt, Undecodable } from '../../src/domain/decode/decoder.ts';
import { hostToBoard, type BoardToHost, type HostToBoard } from '../../src/domain/board/boardProtocol.ts';

/** The extension host, as a board sees it. */
export interface BoardHost {
  send(message: BoardToHost): void;
  /** Keeps what the board is about, for the time after a reload of the window. */
  keep(scope: unknown): void;
}

/** Connects to the host, reports that the page is ready, and passes on decoded messages. Invalid ones are reported and dropped. */
export function connectBoard(onMessage: (message: HostToBoard) => void): BoardHost {
  const api = acquireVsCodeApi();
  const send = (message: BoardToHost): void => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- the editor's function of this name takes none
    api.postMessage(message);
  };
  window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    const message = attempt(hostToBoard, data);
    if (message instanceof Undecodable) send({ type: 'dropped', why: message.message });
    else onMessage(message);
  });
  send({ type: 'ready', timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone });
  return {
    send,
    keep: (scope) => {
      api.setState(scope);
    },
  };
}
