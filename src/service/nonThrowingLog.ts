import type { Log } from './ports.ts';

/**
 * A log that never throws. The editor's throws once its channel is closed, and the channel is closed with the window, while requests
 * are still on their way: that a line can no longer be written must not change what is made of an answer.
 */
export function nonThrowingLog(log: Log): Log {
  const line =
    (level: keyof Log) =>
    (text: string): void => {
      try {
        log[level](text);
      } catch {
        // There is nowhere left to say it.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
