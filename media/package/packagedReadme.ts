/** Parts of the README that are not packaged: pictures, and text between the comment markers. */
const repositoryOnly = /<picture>[^]*?<\/picture>\s*|<!-- repository only -->[^]*?<!-- \/repository only -->\s*/g;

/**
 * Returns the README for the package, without pictures, which are not packaged, and without parts for the repository only. Appends the
 * pages that it links to as chapters.
 * @param pages text of each page of `docs/` by path
 */
export function packagedReadme(readme: string, pages: Readonly<Record<string, string>>): string {
  const text = readme.replaceAll(repositoryOnly, '').trimEnd();
  const linked = [...new Set([...text.matchAll(/\]\((docs\/[\w-]+\.md)\)/g)].map(([, path]) => path ?? ''))];
  const chapters = linked.map((path) => {
    const page = pages[path];
    if (page === undefined) throw new Error(`the README leads to ${path}, which is not there`);
    return {
      path,
      text: page
        .replaceAll(/<!--[^]*?-->\s*/g, '')
        .replaceAll(fenceOrHeading, (found) => (found === '#' ? '##' : found))
        .trimEnd(),
    };
  });
  const inside = chapters.reduce((all, { path, text: own }) => all.replaceAll(`](${path})`, `](${anchor(own)})`), text);
  return `${[inside, ...chapters.map((chapter) => chapter.text)].join('\n\n')}\n`;
}

/** Matches a code block, in which a line with `#` is not a heading, or the beginning of a heading. */
const fenceOrHeading = /^ *(?<fence>`{3,}|~{3,})[^]*?^ *\k<fence>|^#/gm;

/** Returns the link to a chapter's heading, as Markdown viewers generate it. */
function anchor(chapter: string): string {
  const heading = /^#+ (.+)$/m.exec(chapter)?.[1] ?? '';
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')}`;
}
