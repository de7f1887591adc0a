// The third-party packages in the bundles as a CycloneDX bill of materials, generated at build time.
import type { Metafile } from 'esbuild';
import { bundledPackages } from './thirdPartyNotices.ts';

/**
 * The bill of materials as JSON text. The same sources always give the same bytes.
 * @param root folder that the paths in the metafiles are relative to
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

/** The package URL of an npm package. */
function purl(name: string, version: string): string {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}
