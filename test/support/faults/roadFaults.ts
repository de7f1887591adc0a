import type { FaultRow } from './faultMatrix.ts';
import type { Play } from './faultServer.ts';
import { answer, garbage, reset, silence, slowBody, slowHeaders, stalledBody } from './plays.ts';
import type { Fault } from './scene.ts';

const play = (it: Play): Fault => ({ type: 'play', play: it });
const timeoutMs = 250;

/** Faults between client and service: connection, TLS, proxy, time. */
export const roadFaults: readonly FaultRow[] = [
  { name: 'refused', fault: { type: 'refused' }, get: ['offline', 0], post: ['notSent', 0] },
  { name: 'unknown host', fault: { type: 'unknownHost' }, get: ['offline', 0], post: ['notSent', 0] },
  { name: 'reset before headers', fault: play(reset()), get: ['offline', 3], post: ['unknown', 1] },
  { name: 'reset after headers', fault: play(reset(0)), get: ['offline', 3], post: ['accepted', 1] },
  { name: 'reset mid-body', fault: play(reset(50)), get: ['offline', 3], post: ['accepted', 1] },
  { name: 'no HTTP', fault: play(garbage), get: ['notJson', 1], post: ['unknown', 1] },
  { name: 'silence', fault: play(silence), get: ['timeout', 1], post: ['unknown', 1], timeoutMs },
  { name: 'slow headers', fault: play(slowHeaders), get: ['timeout', 1], post: ['unknown', 1], timeoutMs },
  { name: 'slow body', fault: play(slowBody), get: ['timeout', 1], post: ['accepted', 1], timeoutMs },
  { name: 'stalled', fault: play(stalledBody), get: ['timeout', 1], post: ['accepted', 1], timeoutMs },
  { name: 'trusted TLS', fault: { type: 'tls', certificate: 'trusted' }, get: ['page', 1], post: ['accepted', 1] },
  { name: 'self-signed TLS', fault: { type: 'tls', certificate: 'selfSigned' }, get: ['tls', 0], post: ['notSent', 0] },
  { name: 'expired TLS', fault: { type: 'tls', certificate: 'expired' }, get: ['tls', 0], post: ['notSent', 0] },
  { name: 'wrong host', fault: { type: 'tls', certificate: 'otherHost' }, get: ['tls', 0], post: ['notSent', 0] },
  // The editor's proxy agent returns the proxy's response as if it were the service's.
  { name: 'proxy 407', fault: play(answer(407)), get: ['proxy', 1], post: ['unknown', 1] },
  {
    name: 'proxy 407 to a tunnel',
    fault: { type: 'proxy', proxy: 'refusesTunnel' },
    get: ['proxy', 0],
    post: ['notSent', 0],
  },
  { name: 'proxy is down', fault: { type: 'proxy', proxy: 'isDown' }, get: ['proxy', 0], post: ['notSent', 0] },
];
