/** The technical log. Lines contain no key, no body and no query of an audio URL. */
export interface Log {
  debug(line: string): void;
  info(line: string): void;
  warn(line: string): void;
  error(line: string): void;
}

/**
 * A log that never throws. The editor's log throws when its channel is closed, which happens together with the window,
 * possibly during a request. A line that cannot be written must not change how the response is handled.
 */
export function nonThrowingLog(log: Log): Log {
  const line =
    (level: keyof Log) =>
    (text: string): void => {
      try {
        log[level](text);
      } catch {
        // There is no other place to report it.
      }
    };
  return { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
}
