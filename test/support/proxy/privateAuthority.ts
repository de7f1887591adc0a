import { generate } from 'selfsigned';
import type { Certificate } from '../faults/certificates.ts';

/** A company's own certificate authority, which no computer trusts by default. */
export interface PrivateAuthority {
  /** Its own certificate, PEM. */
  readonly cert: string;
  /** Issues a certificate for a host name. */
  certify(hostname: string): Promise<Certificate>;
}

export async function createPrivateAuthority(): Promise<PrivateAuthority> {
  const authority = await generate([{ name: 'commonName', value: 'Example Private Authority' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [
      { name: 'basicConstraints', cA: true, critical: true },
      { name: 'keyUsage', keyCertSign: true, cRLSign: true, critical: true },
    ],
  });
  return {
    cert: authority.cert,
    certify: async (hostname) => {
      const made = await generate([{ name: 'commonName', value: hostname }], {
        keyType: 'ec',
        algorithm: 'sha256',
        ca: { key: authority.private, cert: authority.cert },
        extensions: [{ name: 'subjectAltName', altNames: [{ type: 2, value: hostname }] }],
      });
      return { cert: made.cert, key: made.private };
    },
  };
}
