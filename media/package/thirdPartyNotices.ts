// Generates the licences of the third-party packages in the bundles at build time.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** Facts from a package's manifest. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author: string;
  /** Absolute path. */
  readonly folder: string;
}

const rule = '-'.repeat(80);

/**
 * Returns the notices as one text: every bundled npm package with name, version, licence and licence text. A package without a licence
 * text is listed with its author instead.
 * @param root base folder of the paths in the metafiles
 */
export function thirdPartyNotices(metafiles: readonly Metafile[], root: string): string {
  const notices = new Set(bundledPackages(metafiles, root).map(notice));
  const intro = 'This package holds code of the packages below, under the licences that stand with them.';
  return `${[intro, ...[...notices].sort()].join(`\n\n${rule}\n\n`)}\n`;
}

/**
 * Returns the npm packages with code in the bundles, one per folder, sorted by name.
 * @param root base folder of the paths in the metafiles
 */
export function bundledPackages(metafiles: readonly Metafile[], root: string): readonly BundledPackage[] {
  const folders = new Set(metafiles.flatMap(bundledFiles).flatMap((file) => packageFolder(file) ?? []));
  return [...folders]
    .map((folder) => readManifest(resolve(root, folder)))
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** Returns the input files with code that remains in a bundle. */
function bundledFiles({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
}

/** Returns the innermost package folder that contains a file; undefined for the product's own files. */
function packageFolder(file: string): string | undefined {
  return /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file.replaceAll('\\', '/'))?.[0];
}

function notice({ name, version, license, author, folder }: BundledPackage): string {
  const texts = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim());
  return [`${name} ${version}: ${license}`, ...(texts.length > 0 ? texts : [`By ${author}.`])].join('\n\n');
}

function readManifest(folder: string): BundledPackage {
  const file = join(folder, 'package.json');
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) throw new TypeError(`${file} is no manifest`);
  const text = (of: object, field: string): string => {
    const value: unknown = Object.entries(of).find(([name]) => name === field)?.[1];
    if (typeof value === 'object' && value !== null) return text(value, 'name');
    return typeof value === 'string' ? value : 'unknown';
  };
  return {
    name: text(manifest, 'name'),
    version: text(manifest, 'version'),
    license: text(manifest, 'license'),
    author: text(manifest, 'author'),
    folder,
  };
}
