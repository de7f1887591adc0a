import type { SoakWindow } from '../soakWindow.ts';

/** Something that a person does in a window. Throws when what it waits for does not come. */
export type Action = (window: SoakWindow) => Promise<void>;
