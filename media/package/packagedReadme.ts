/** A picture of the repository, and what stands between the marks: neither has a place in the package. */
const repositoryOnly = /<picture>[^]*?<\/picture>\s*|<!-- repository only -->[^]*?<!-- \/repository only -->\s*/g;

/** The README as it stands in the package: without pictures, which are not in there, and without what is of the repository alone. */
export function packagedReadme(readme: string): string {
  return `${readme.replaceAll(repositoryOnly, '').trimEnd()}\n`;
}
