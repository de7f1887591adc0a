import { generate } from 'selfsigned';
import { dayMs } from '../../../src/base/time.ts';

/** A self-signed certificate for a listener on 127.0.0.1. PEM. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

/** Creates a certificate, by default one that is currently valid for 127.0.0.1. */
export async function makeCertificate({
  address = '127.0.0.1',
  ageDays = 0,
}: { readonly address?: string; readonly ageDays?: number } = {}): Promise<Certificate> {
  const now = Date.now();
  const made = await generate([{ name: 'commonName', value: address }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notBeforeDate: new Date(now - (ageDays + 1) * dayMs),
    notAfterDate: new Date(now + (1 - ageDays) * dayMs),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: address }] }],
  });
  return { cert: made.cert, key: made.private };
}
