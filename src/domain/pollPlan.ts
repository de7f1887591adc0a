/** What decides when the loaded jobs are asked for again by themselves. */
export interface PollState {
  /** The setting. */
  readonly enabled: boolean;
  /** The view can be seen. */
  readonly visible: boolean;
  /** The window has the focus. */
  readonly focused: boolean;
  /** A job that can still change is loaded. */
  readonly unfinished: boolean;
  readonly intervalMs: number;
  readonly nowMs: number;
  /** When the last poll ended; before the first, when there came to be something to poll for. */
  readonly lastMs: number;
  /** Polls that failed, counted from the last that did not. */
  readonly failures: number;
  /** Until then the service wants no request. */
  readonly retryAtMs: number | undefined;
  /** The user has come back to the view or the window since the last poll. */
  readonly returned: boolean;
}

/** Failures make the pause longer, up to this, unless the interval itself is longer. */
const longestPauseMs = 5 * 60_000;
/** Going back and forth between windows polls no more often than the shortest interval does. */
const shortestPauseMs = 5_000;

/** Whether anybody would see what a poll brings. */
function isWatched({ enabled, visible, focused, unfinished }: PollState): boolean {
  return enabled && visible && focused && unfinished;
}

/** Milliseconds to wait before the next poll; undefined when there shall be none. */
export function pollDelayMs(state: PollState): number | undefined {
  if (!isWatched(state)) return undefined;
  const { intervalMs, nowMs, lastMs, failures, retryAtMs = 0, returned } = state;
  const pauseMs = returned
    ? shortestPauseMs
    : Math.max(intervalMs, Math.min(intervalMs * 2 ** failures, longestPauseMs));
  return Math.max(0, lastMs + pauseMs - nowMs, retryAtMs - nowMs);
}
