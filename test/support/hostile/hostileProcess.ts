import { listenHostile } from './hostileServer.ts';

// The process of `startHostileServer`: tells its origin first, and then each request; ends with the one that started it.
const tell = (message: unknown): void => {
  if (process.connected) process.send?.(message);
};
process.on('disconnect', () => process.exit(0));
const { origin } = await listenHostile(tell);
tell(origin);
