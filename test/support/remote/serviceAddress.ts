import { randomInt, randomUUID } from 'node:crypto';

/** Address and key of a test's service: both are in the environment of an editor before the test starts. */
export interface ServiceAddress {
  readonly port: number;
  readonly key: string;
}

/** Returns a new address. The port is below those that systems assign themselves, so that it stays free between two files. */
export function newServiceAddress(): ServiceAddress {
  return { port: randomInt(20_000, 30_000), key: randomUUID() };
}

/** Returns the environment that gives an editor the key for this service. */
export function serviceEnv({ port, key }: ServiceAddress): Readonly<Record<string, string>> {
  return { TRANSCRIPTION_API_KEY: key, TRANSCRIPTION_BASE_URL: `http://127.0.0.1:${port}` };
}
