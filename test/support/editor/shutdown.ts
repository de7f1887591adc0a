type Stop = () => Promise<void>;

const stops = new Set<Stop>();
const signals = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;
let listening = false;
let ending = false;

/**
 * Runs `stop` when this process is ended by Ctrl-C or a signal, newest first; the process then exits with 128 + signal.
 * A second signal ends the process at once.
 * @returns a function that unregisters `stop`, for use after an orderly stop
 */
export function onShutdown(stop: Stop): () => void {
  listen();
  stops.add(stop);
  return () => stops.delete(stop);
}

/** True if a signal is ending this process, in which case further failures are its consequence. */
export function isEnding(): boolean {
  return ending;
}

/** Stops everything registered, newest first. Failures are printed, so that one does not prevent the other stops. */
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
