import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { runTool } from './runTool.ts';

/** An npm registry on loopback with one package, `tiny@1.0.0`. */
export interface FakeRegistry {
  /** Environment variables that make npm use this registry and a separate cache. */
  readonly env: NodeJS.ProcessEnv;
  /** The tarball's hash, as in `sha512-…`, before it is altered. */
  readonly integrity: string;
  /** Returns the number of downloads of the package tarball. */
  readonly downloads: () => number;
  readonly close: () => Promise<void>;
}

/**
 * @param folder where the package and npm's cache are stored
 * @param files the package's files by path
 * @param alter changes the tarball in transit, for example truncates it
 */
export async function startFakeRegistry(
  folder: string,
  files: Readonly<Record<string, string>>,
  alter: (tarball: Buffer) => Buffer = (tarball) => tarball,
): Promise<FakeRegistry> {
  for (const [path, text] of Object.entries({ 'package.json': '{"name":"tiny","version":"1.0.0"}', ...files })) {
    const file = join(folder, 'package', path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  await runTool('tar', ['-czf', 'tiny.tgz', 'package'], { cwd: folder });
  const tarball = readFileSync(join(folder, 'tiny.tgz'));
  const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
  let downloads = 0;
  const server = createServer((request, response) => {
    if (request.url?.endsWith('.tgz')) {
      downloads++;
      response.end(alter(tarball));
    } else if (request.url === '/tiny') {
      const dist = { tarball: `${origin()}/tiny.tgz`, integrity };
      const version = { name: 'tiny', version: '1.0.0', dist };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ name: 'tiny', 'dist-tags': { latest: '1.0.0' }, versions: { '1.0.0': version } }));
    } else {
      response.writeHead(404).end('{}');
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = (): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    env: { ...process.env, npm_config_registry: origin(), npm_config_cache: join(folder, 'cache') },
    integrity,
    downloads: () => downloads,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
