import type { SoakWindow } from '../soakWindow.ts';

/** A user action in a window. Throws if the state that it waits for does not appear. */
export type Action = (window: SoakWindow) => Promise<void>;
