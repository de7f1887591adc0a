import http from 'node:http';
import type { ClientRequest } from 'node:http';
import https from 'node:https';
import net from 'node:net';
import type { Socket } from 'node:net';
import tls from 'node:tls';
import type { RequestFunction } from 'got';

/**
 * Requests over a connection of their own, so that a POST never travels on a kept-alive one that the service may be
 * closing this very moment: that would break it after it may have left.
 *
 * `createConnection` and not an agent, because the editor routes a request through the user's proxy only if it names no
 * agent (with `http.proxySupport` "on"). Where the editor does so it puts its own agent there, which opens a connection
 * for each request anyway and ignores `createConnection`. The functions are read from their modules at each call, because
 * the editor replaces them there.
 */
export const requestOnFreshConnection: RequestFunction = (url, options, callback) => {
  const secure = url.protocol === 'https:';
  const defaultPort = secure ? 443 : 80;
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || defaultPort;
  const createConnection = (): net.Socket =>
    secure ? tls.connect({ host, port, servername: net.isIP(host) === 0 ? host : '' }) : net.connect({ host, port });
  return (secure ? https : http).request(url, { ...options, defaultPort, createConnection }, callback);
};

/**
 * Calls back when the first byte of a request could leave this machine: the connection stands and, with TLS, the
 * handshake is over and the certificate trusted. Before that moment a failed request has certainly not been sent.
 */
export function onRequestCanLeave(request: ClientRequest, callback: () => void): void {
  const watch = (socket: Socket): void => {
    if (socket instanceof tls.TLSSocket) {
      // `getFinished` is undefined until the handshake is over, also where the TCP connection (to a proxy) stands already.
      if (socket.getFinished() === undefined) socket.once('secureConnect', callback);
      else callback();
    } else if (socket.connecting) socket.once('connect', callback);
    else callback();
  };
  if (request.socket) watch(request.socket);
  else request.once('socket', watch);
}
