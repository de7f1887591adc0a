import { systemCode } from '../systemCode.ts';

/** Whether a process of this machine runs. One that may not be signalled does. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return systemCode(error) === 'EPERM';
  }
}
