// Generates the licences of the third-party packages in the bundles at build time.
import { readFileSync, readdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Metafile } from 'esbuild';

/** Facts from a package's manifest. */
export interface BundledPackage {
  readonly name: string;
  readonly version: string;
  readonly license: string;
  /** Absolute path. */
  readonly folder: string;
}

const rule = '-'.repeat(80);
/** Licence texts of packages that come without one, by name. */
const licences = new Map([['@vscode/l10n', 'media/package/licences/vscode-l10n.txt']]);

/**
 * Returns the notices as one text: every bundled npm package with name, version, licence and licence text.
 * @param root folder of the project, to which the paths in the metafiles are relative
 * @throws Error if a package has no licence text, neither its own nor one of the project's
 */
export function thirdPartyNotices(metafiles: readonly Metafile[], root: string): string {
  const notices = new Set(bundledPackages(metafiles, root).map((bundled) => notice(bundled, root)));
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

function notice(bundled: BundledPackage, root: string): string {
  return [`${bundled.name} ${bundled.version}: ${bundled.license}`, ...licenceTexts(bundled, root)].join('\n\n');
}

function licenceTexts({ name, folder }: BundledPackage, root: string): readonly string[] {
  const own = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .sort()
    .map((file) => join(folder, file));
  const added = licences.get(name);
  if (own.length === 0 && added === undefined)
    throw new Error(`${name} has no licence text; add its path to thirdPartyNotices.ts`);
  const files = added === undefined || own.length > 0 ? own : [join(root, added)];
  return files.map((file) => readFileSync(file, 'utf8').replaceAll('\r\n', '\n').trim());
}

function readManifest(folder: string): BundledPackage {
  const file = join(folder, 'package.json');
  const manifest: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (typeof manifest !== 'object' || manifest === null) throw new TypeError(`${file} is no manifest`);
  const entries = new Map<string, unknown>(Object.entries(manifest));
  const text = (field: string): string => {
    const value = entries.get(field);
    return typeof value === 'string' ? value : 'unknown';
  };
  return {
    name: text('name'),
    version: text('version'),
    license: text('license'),
    folder,
  };
}
