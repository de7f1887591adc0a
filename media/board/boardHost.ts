import { hostToBoard, type BoardToHost, type HostToBoard } from '../../src/features/board/common/boardProtocol.ts';
import { connectPage } from '../page/connectPage.ts';

/** Connection of a board to the extension host. */
export interface BoardHost {
  send(message: BoardToHost): void;
  /** Stores the scope of the board, which survives a reload of the window. */
  keep(scope: unknown): void;
}

/** Connects a board to the host. */
export function connectBoard(onMessage: (message: HostToBoard) => void): BoardHost {
  const { send, state } = connectPage<HostToBoard, BoardToHost>(hostToBoard, onMessage);
  return {
    send,
    keep: (scope) => {
      state.setState(scope);
    },
  };
}
