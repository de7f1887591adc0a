// The licences of what others wrote and we bundle: made at build time from what went into the bundles.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** What a package says of itself. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  readonly author: string;
  /** Where it stands on this disk. */
  readonly folder: string;
}

const rule = '-'.repeat(80);

/**
 * The notices as one text: every npm package of which something is in the bundles, with name, version, licence and the licence's
 * text. A package that brings no such text is named with its author instead.
 * @param root folder from which the metafiles name what they read
 */
export function thirdPartyNotices(metafiles: readonly Metafile[], root: string): string {
  const notices = new Set(bundledPackages(metafiles, root).map(notice));
  const intro = 'Transcription Jobs holds code of the packages below, under the licences that stand with them.';
  return `${[intro, ...[...notices].sort()].join(`\n\n${rule}\n\n`)}\n`;
}

/** The npm packages of which something is in the bundles, each folder once, by name. @param root as above */
export function bundledPackages(metafiles: readonly Metafile[], root: string): readonly BundledPackage[] {
  const folders = new Set(metafiles.flatMap(bundledFiles).flatMap((file) => packageFolder(file) ?? []));
  return [...folders]
    .map((folder) => readManifest(resolve(root, folder)))
    .toSorted((a, b) => compare(a.name, b.name) || compare(a.version, b.version));
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}

/** What was read and is not left out of every bundle. */
function bundledFiles({ outputs }: Metafile): readonly string[] {
  return Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? file : [])),
  );
}

/** The folder of the package that a file belongs to, the innermost one; undefined for a file of our own. */
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
