import { listenHostile } from './hostileServer.ts';

// The child process of `startHostileServer`: first sends its origin, then each request. Ends with its parent.
const tell = (message: unknown): void => {
  if (process.connected) process.send?.(message);
};
process.on('disconnect', () => process.exit(0));
const { origin } = await listenHostile(tell);
tell(origin);
