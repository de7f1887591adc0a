// What is in the package besides our own code, as a CycloneDX bill of materials: made at build time from what went into the bundles.
import type { Metafile } from 'esbuild';
import { bundledPackages } from './thirdPartyNotices.ts';

/**
 * The bill as JSON text. It depends on nothing but what was bundled: the same sources give the same bytes.
 * @param root folder from which the metafiles name what they read
 * @param version of the product
 */
export function softwareBill(metafiles: readonly Metafile[], root: string, version: string): string {
  const packages = bundledPackages(metafiles, root).map(({ name, version: its, license }) => ({ name, its, license }));
  const components = [...new Map(packages.map((each) => [purl(each.name, each.its), each])).entries()].map(
    ([reference, { name, its, license }]) => ({
      type: 'library',
      'bom-ref': reference,
      name,
      version: its,
      licenses: [/[\s()]/.test(license) ? { expression: license } : { license: { id: license } }],
      purl: reference,
    }),
  );
  const product = `pkg:generic/transcription-jobs@${version}`;
  const bill = {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: {
      component: { type: 'application', 'bom-ref': product, name: 'transcription-jobs', version, purl: product },
    },
    components,
    dependencies: [{ ref: product, dependsOn: components.map(({ purl: reference }) => reference) }],
  };
  return `${JSON.stringify(bill, undefined, 2)}\n`;
}

/** A package of the npm registry, as package URLs name it. */
function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
