import { systemCode } from '../../../base/failure.ts';

/** True if a process of this machine is running. A process that we have no permission to signal is running, too. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
