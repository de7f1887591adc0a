// Generates a CycloneDX bill of materials of the third-party packages in bundles, at build time from the metafiles of the bundler.
import { existsSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Metafile } from 'esbuild';
import { bundledPackages } from './thirdPartyNotices.ts';

/** Released archive that a bill describes. */
export interface BilledProduct {
  readonly name: string;
  readonly version: string;
}

/**
 * Returns the bill of materials as JSON text. The same sources always give the same bytes.
 * @param root base folder of the paths in the metafiles; its `package-lock.json` has the hashes of the packages
 */
export function softwareBill(metafiles: readonly Metafile[], root: string, { name, version }: BilledProduct): string {
  const locked = lockedIntegrity(root);
  const packages = bundledPackages(metafiles, root).map((each) => {
    const reference = `pkg:npm/${each.name.replace('@', '%40')}@${each.version}`;
    const integrity = locked.get(relative(resolve(root), each.folder).replaceAll('\\', '/'));
    const component = {
      type: 'library',
      'bom-ref': reference,
      name: each.name,
      version: each.version,
      hashes: integrity === undefined ? undefined : [sha512(integrity)],
      licenses: licenses(each.license),
      purl: reference,
    };
    return [reference, component] as const;
  });
  // Two folders may contain the same version.
  const components = [...new Map(packages).values()];
  const product = `pkg:generic/${name}@${version}`;
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': product, name, version, purl: product },
    },
    components,
    dependencies: [{ ref: product, dependsOn: components.map(({ purl }) => purl) }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** Returns the hashes that npm has verified, such as `sha512-…`, by folder as in the lock file. */
function lockedIntegrity(root: string): ReadonlyMap<string, string> {
  const file = join(root, 'package-lock.json');
  if (!existsSync(file)) return new Map();
  const lock: unknown = JSON.parse(readFileSync(file, 'utf8'));
  const packages = members(members(lock).get('packages'));
  return new Map(
    [...packages].flatMap(([folder, entry]) => {
      const integrity = members(entry).get('integrity');
      return typeof integrity === 'string' && integrity.startsWith('sha512-') ? [[folder, integrity]] : [];
    }),
  );
}

function members(value: unknown): ReadonlyMap<string, unknown> {
  return new Map(typeof value === 'object' && value !== null ? Object.entries(value) : []);
}

/** Converts the hash of a package as served by npm to the format of CycloneDX. */
function sha512(integrity: string): object {
  return { alg: 'SHA-512', content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex') };
}

/** Returns the licences in the format of CycloneDX; undefined for a package without one. */
function licenses(license: string): readonly object[] | undefined {
  if (license === 'unknown') return undefined;
  if (/ (?:AND|OR|WITH) /.test(license)) return [{ expression: license }];
  return [{ license: /^[\w.+-]+$/.test(license) ? { id: license } : { name: license } }];
}
