type Stop = () => Promise<void>;

const stops = new Set<Stop>();
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
let listening = false;
let ending = false;

/**
 * Runs `stop` when this process is told to end by Ctrl-C or a signal, newest first; the process then ends with 128 + signal.
 * Returns a function that forgets it, for whoever has stopped in an orderly way. A second signal ends at once.
 */
export function onShutdown(stop: Stop): () => void {
  listen();
  stops.add(stop);
  return () => stops.delete(stop);
}

/** Whether a signal has told this process to end, so that what fails now fails for that reason. */
export function isEnding(): boolean {
  return ending;
}

/** Stops everything registered, newest first. Failures are printed, so that one of them keeps nothing else running. */
export async function shutdown(): Promise<void> {
  for (const stop of [...stops].reverse()) {
    stops.delete(stop);
    await stop().catch((error: unknown) => console.error('could not stop:', error));
  }
}

function listen(): void {
  if (listening) return;
  listening = true;
  for (const [signal, exitCode] of Object.entries(signals)) {
    process.on(signal, () => {
      if (ending) process.exit(exitCode);
      ending = true;
      void shutdown().then(() => process.exit(exitCode));
    });
  }
}
