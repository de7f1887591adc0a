import type { ClientRequest } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';

/**
 * Calls back when the first byte of a request could leave this machine: the connection stands and, with TLS, the
 * handshake is over and the certificate trusted. Before that moment a failed request has certainly not been sent.
 */
export function whenBytesCanLeave(request: ClientRequest, callback: () => void): void {
  const watch = (socket: Socket): void => {
    if (socket instanceof TLSSocket) {
      // `getFinished` is undefined until the handshake is over, also where the TCP connection (to a proxy) stands already.
      if (socket.getFinished() === undefined) socket.once('secureConnect', callback);
      else callback();
    } else if (socket.connecting) socket.once('connect', callback);
    else callback();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}
