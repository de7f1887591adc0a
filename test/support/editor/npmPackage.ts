import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { npm, type NpmOptions } from './npm.ts';
import pinned from './pinnedDownloads.json' with { type: 'json' };
import { runTool } from './runTool.ts';
import { UserError } from './userError.ts';

/** The hash that a download must have, by `name@version`, as in `sha512-…`. */
export type Pins = Readonly<Record<string, string>>;

const pinsFile = 'test/support/editor/pinnedDownloads.json';

/** The environment of npm, and pins other than the repository's. */
export interface UnpackOptions {
  readonly env?: NodeJS.ProcessEnv;
  readonly pins?: Pins;
}

/**
 * Downloads `name@version` from the user's npm registry and unpacks it into `folder/package` without running its scripts. Unpacks only
 * files whose hash is pinned in the repository, so that a registry cannot replace them.
 * @throws UserError if the registry cannot be reached or lacks the version, or the tarball is not the pinned one
 */
export async function unpackNpmPackage(
  name: string,
  version: string,
  folder: string,
  { env, pins = pinned.packages }: UnpackOptions = {},
): Promise<void> {
  const spec = `${name}@${version}`;
  const purpose = `download ${spec}`;
  const pin = pinOf(spec, pins);
  const options: NpmOptions = { cwd: folder, ...(env && { env }) };
  await npm(['pack', spec], purpose, options);
  const tarball = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  if (tarball === undefined)
    throw new UserError(`Could not ${purpose}: npm reported success but wrote no file. Run this again.`);
  const path = join(folder, tarball);
  const hash = await sha512(path);
  if (hash !== pin) {
    throw new UserError(
      `Refused ${spec}: what the registry sent has the hash ${hash}, but ${pinsFile} has ${pin}. Somebody has changed one of the two.`,
    );
  }
  const tar = await runTool('tar', ['-xzf', tarball], { cwd: folder });
  if (tar.code !== 0)
    throw new UserError(`Could not unpack ${tarball}: ${tar.stderr.trim().split('\n').at(-1) ?? 'tar failed'}`);
  rmSync(path);
}

/**
 * Returns the pinned hash of `name@version`.
 * @throws UserError if there is none
 */
export function pinOf(spec: string, pins: Pins = pinned.packages): string {
  const pin = Object.hasOwn(pins, spec) ? pins[spec] : undefined;
  if (pin !== undefined) return pin;
  throw new UserError(
    `${spec} is not downloaded: ${pinsFile} has no hash of it. docs/releasing.md says how to add one.`,
  );
}

/**
 * Checks the packages that npm has installed below a folder: each must have the hash in the folder's own list of versions,
 * `npm-shrinkwrap.json`, or the pinned one. The list came with a package that was itself pinned.
 * @throws UserError that names the first package with another hash
 */
export function requireKnownPackages(folder: string, pins: Pins = pinned.packages): void {
  const listed = lockedPackages(join(folder, 'npm-shrinkwrap.json'));
  for (const [path, { version, integrity }] of lockedPackages(join(folder, 'node_modules/.package-lock.json'))) {
    const spec = `${path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)}@${version}`;
    const known = listed.get(path);
    if (integrity === undefined || known?.integrity !== integrity || known.version !== version) {
      const pin = pinOf(spec, pins);
      if (pin !== integrity)
        throw new UserError(`Refused ${spec}: it has the hash ${integrity ?? 'none'}, but ${pinsFile} has ${pin}.`);
    }
  }
}

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
}

/** Returns the packages by path, without the root. */
function lockedPackages(file: string): ReadonlyMap<string, LockedPackage> {
  const { packages } = JSON.parse(readFileSync(file, 'utf8')) as {
    readonly packages: Readonly<Record<string, LockedPackage>>;
  };
  return new Map(Object.entries(packages).filter(([path]) => path !== ''));
}

/** Returns the hash of a file in the form of pins. */
export async function sha512(file: string): Promise<string> {
  const hash = createHash('sha512');
  await pipeline(createReadStream(file), hash);
  return `sha512-${hash.digest('base64')}`;
}
