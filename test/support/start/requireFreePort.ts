import { createServer } from 'node:net';
import { UserError } from '../editor/userError.ts';

/**
 * Resolves if nothing listens on this loopback port. 0 means any free port and always resolves.
 * @throws UserError if the port is in use or not allowed
 */
export async function requireFreePort(port: number): Promise<void> {
  const server = createServer();
  try {
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    await new Promise((resolve) => server.close(resolve));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (code === 'EADDRINUSE')
      throw new UserError(`Port ${port} is in use: stop what listens there, or choose another with --port.`);
    throw new UserError(`Port ${port} cannot be used (${String(code)}): choose another with --port.`);
  }
}
