/** Names that stand for this machine or the network around it (RFC 6761, 6762, 8375 and custom). */
const localNames = /(?:^|\.)(?:localhost|local|internal|intranet|lan|home\.arpa)$/u;

/**
 * Whether a host is reachable only from this machine or the network around it, as far as its name says.
 * @param hostname as `URL` gives it: lower case, addresses in their usual form, IPv6 in brackets.
 */
export function isPrivateHost(hostname: string): boolean {
  if (hostname.startsWith('[')) return isPrivateIpv6(hostname.slice(1, -1));
  const name = hostname.replace(/\.$/u, '');
  const numbers = name.split('.').map(Number);
  if (numbers.length === 4 && numbers.every((number) => Number.isInteger(number))) return isPrivateIpv4(numbers);
  return !name.includes('.') || localNames.test(name);
}

function isPrivateIpv4([first = 0, second = 0]: readonly number[]): boolean {
  return (
    first === 0 ||
    first === 10 ||
    first === 127 ||
    (first === 100 && second >= 64 && second < 128) ||
    (first === 169 && second === 254) ||
    (first === 172 && second >= 16 && second < 32) ||
    (first === 192 && second === 168)
  );
}

function isPrivateIpv6(address: string): boolean {
  const mapped = /^::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})$/u.exec(address);
  if (mapped) {
    const high = Number.parseInt(mapped[1] ?? '', 16);
    return isPrivateIpv4([high >> 8, high & 255]);
  }
  return address === '::' || address === '::1' || /^f[cd]|^fe[89ab]/u.test(address);
}
