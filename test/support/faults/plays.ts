import { gzipSync } from 'node:zlib';
import { preRecordedItem } from '../builders/jobItem.ts';
import type { Play, Stage } from './faultServer.ts';

const json = { 'content-type': 'application/json' } as const;

/** A page of jobs as in contract 2.1. */
export const pageText = JSON.stringify({
  first: 'http://127.0.0.1/v2/transcription?offset=0',
  current: 'http://127.0.0.1/v2/transcription?offset=0',
  next: null,
  items: [preRecordedItem()],
});

/** Responds with a status, headers and a body. */
export function answer(status: number, body: string | Uint8Array = '', headers: Record<string, string> = json): Play {
  return ({ response }) => {
    response.writeHead(status, headers).end(body);
  };
}

/** Responds like a healthy service. */
export const goodPage: Play = answer(200, pageText);

/** Uses the plays one after another, and the last one for all further requests. */
export function inTurn(...plays: readonly [Play, ...Play[]]): Play {
  return (stage) => (plays[stage.nth - 1] ?? plays.at(-1) ?? goodPage)(stage);
}

/** Responds late, in milliseconds. */
export function delayed(delayMs: number, play: Play): Play {
  return (stage) => void setTimeout(() => play(stage), delayMs);
}

/** Redirects to `target`. */
export function redirect(status: number, target: (stage: Stage) => string): Play {
  return (stage) => {
    stage.response.writeHead(status, { location: target(stage) }).end();
  };
}

/** Resets the TCP connection after the first `bytes` of a response (undefined: before its headers). */
export function reset(bytes?: number): Play {
  return ({ request, response }) => {
    if (bytes === undefined) {
      request.socket.resetAndDestroy();
      return;
    }
    response.writeHead(200, { ...json, 'content-length': String(pageText.length) });
    response.flushHeaders();
    response.write(pageText.slice(0, bytes));
    // A reset discards unread data, so the client must have read the headers first.
    setTimeout(() => request.socket.resetAndDestroy(), 30);
  };
}

/** Sends headers that never end, byte by byte. */
export const slowHeaders: Play = ({ request, response }) => {
  drip(
    response,
    () => request.socket.write('HTTP/1.1 200 OK\r\nx-slow: ', () => {}),
    () => request.socket.write('.'),
  );
};

/** Sends a body that never ends, byte by byte. */
export const slowBody: Play = ({ response }) => {
  drip(
    response,
    () => response.writeHead(200, json).write('{'),
    () => response.write(' '),
  );
};

/** Sends the beginning of a page and then nothing. */
export const stalledBody: Play = ({ response }) => {
  response.writeHead(200, json).write(pageText.slice(0, 20));
};

/** Reads the request and never responds. */
export const silence: Play = () => {};

/** Responds with something that is not HTTP. */
export const garbage: Play = ({ request }) => {
  request.socket.end('SSH-2.0-OpenSSH_9.9\r\n');
};

/** Truncates a compressed page, but ends the response properly. */
export const truncatedGzip: Play = answer(200, gzipSync(pageText).subarray(0, 60), {
  ...json,
  'content-encoding': 'gzip',
});

/** Declares more bytes than it sends. */
export const wrongLength: Play = ({ request: { socket }, response }) => {
  response.writeHead(200, { ...json, 'content-length': String(pageText.length + 100) });
  response.end(pageText, () => socket.end());
};

/** Sends a complete status line, declares a body, and disconnects in the middle of it. */
export function cutOff(status: number): Play {
  return ({ request: { socket }, response }) => {
    response.writeHead(status, { ...json, 'content-length': '100' });
    response.write('{"mess', () => socket.end());
  };
}

/** Sends a body of some MiB as fast as it is read; `Infinity` ends only when the reader stops. */
export function largeBody(mebibytes: number): Play {
  return ({ response }) => {
    const mebibyte = Buffer.alloc(1024 * 1024, ' ');
    let left = mebibytes;
    const send = (): void => {
      while (left > 0 && !response.destroyed) {
        left--;
        if (!response.write(mebibyte)) return void response.once('drain', send);
      }
      response.end();
    };
    response.writeHead(200, json);
    send();
  };
}

function drip(response: Stage['response'], begin: () => void, next: () => void): void {
  begin();
  const timer = setInterval(next, 20);
  response.once('close', () => clearInterval(timer));
}
