/** Parts of the README that are not packaged: pictures, and what is between the comment marks. */
const repositoryOnly = /<picture>[^]*?<\/picture>\s*|<!-- repository only -->[^]*?<!-- \/repository only -->\s*/g;

/** The README for the package, without pictures, which are not packaged, and without parts for the repository only. */
export function packagedReadme(readme: string): string {
  return `${readme.replaceAll(repositoryOnly, '').trimEnd()}\n`;
}
