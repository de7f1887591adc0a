import { listenHostile } from './hostileServer.ts';

// The child process of `startHostileServer`: first sends its origin, then each request. Ends with its parent.
const report = (message: unknown): void => {
  if (process.connected) process.send?.(message);
};
process.on('disconnect', () => process.exit(0));
const { origin } = await listenHostile(report);
report(origin);
