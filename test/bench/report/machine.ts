import { cpus, release, totalmem, type } from 'node:os';

/** The machine on which the numbers were measured. */
export interface Machine {
  readonly processor: string;
  readonly cores: number;
  readonly memoryGb: number;
  readonly system: string;
  readonly node: string;
}

export function thisMachine(): Machine {
  const all = cpus();
  return {
    processor: (all[0]?.model ?? '').trim() || process.arch,
    cores: all.length,
    memoryGb: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
  };
}
