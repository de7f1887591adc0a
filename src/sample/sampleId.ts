import { draw, hash32, randomStreams } from './random.ts';

/** Returns the UUID of the job with this serial number. Its first block is the hashed serial, so that ids never collide. */
export function sampleId(seed: number, serial: number): string {
  const head = hex(hash32((serial ^ saltOf(seed)) >>> 0), 8);
  const tail = randomStreams.idTail.map((each) => hex(draw(seed, serial, each), 8)).join('');
  // Version 4, variant 1, as in a random UUID.
  const variant = '89ab'.charAt(draw(seed, serial, randomStreams.idVariant) & 3);
  return `${head}-${tail.slice(0, 4)}-4${tail.slice(4, 7)}-${variant}${tail.slice(7, 10)}-${tail.slice(10, 22)}`;
}

/** Returns the request identifier of a job or a response: a short prefix, a hyphen, digits (contract 2.2). */
export function sampleRequestId(number: number): string {
  return `G-${String(number % 100_000_000).padStart(8, '0')}`;
}

function saltOf(seed: number): number {
  return draw(seed, 0, randomStreams.idSalt);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
