import { createHash } from 'node:crypto';
import { createReadStream, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { npm, type NpmOptions } from './npm.ts';
import { runTool } from './runTool.ts';
import { UserError } from './userError.ts';

/**
 * Downloads `name@version` from the user's npm registry and unpacks it into `folder/package` without running its
 * scripts.
 * @throws UserError if the registry cannot be reached or lacks the version, or the tarball's checksum is wrong
 */
export async function unpackNpmPackage(
  name: string,
  version: string,
  folder: string,
  env?: NodeJS.ProcessEnv,
): Promise<void> {
  const spec = `${name}@${version}`;
  const purpose = `download ${spec}`;
  const options: NpmOptions = { cwd: folder, ...(env && { env }) };
  const announced = (await npm(['view', spec, 'dist.integrity'], purpose, options)).trim();
  await npm(['pack', spec], purpose, options);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined)
    throw new UserError(`Could not ${purpose}: npm reported success but wrote no file. Run this again.`);
  const path = join(folder, tarball);
  if ((await integrity(path, announced)) !== announced) {
    throw new UserError(`Could not ${purpose}: it differs from what the registry announced. Run this again.`);
  }
  const tar = await runTool('tar', ['-xzf', tarball], { cwd: folder });
  if (tar.code !== 0)
    throw new UserError(`Could not unpack ${tarball}: ${tar.stderr.trim().split('\n').at(-1) ?? 'tar failed'}`);
  rmSync(path);
}

async function integrity(file: string, announced: string): Promise<string> {
  const algorithm = announced.split('-', 1)[0] ?? '';
  const hash = createHash(algorithm === '' ? 'sha512' : algorithm);
  await pipeline(createReadStream(file), hash);
  return `${algorithm}-${hash.digest('base64')}`;
}
