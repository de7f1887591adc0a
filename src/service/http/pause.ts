import { Failure } from '../../domain/failure.ts';
import type { Clock } from '../ports.ts';

/**
 * Waits.
 * @throws Failure `cancelled` as soon as the signal fires.
 */
export async function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  if (signal.aborted) throw new Failure('cancelled');
  await new Promise<void>((resolve, reject) => {
    const cancel = (): void => {
      timer.dispose();
      reject(new Failure('cancelled'));
    };
    const timer = clock.after(delayMs, () => {
      signal.removeEventListener('abort', cancel);
      resolve();
    });
    signal.addEventListener('abort', cancel, { once: true });
  });
}
