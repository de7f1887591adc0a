/** What only the repository's README has. */
const repositoryOnly = /<!-- repository only -->[^]*?<!-- \/repository only -->\s*/g;
/** A picture in the repository, with a variant for dark themes. */
const picture = /<picture>[^]*?<img src="(?<path>[^"]+)" alt="(?<alt>[^"]*)">\s*<\/picture>\s*/g;
/** A link from one page of `docs/` to another. */
const siblingLink = /\]\(([\w-]+\.md)\)/g;
const pageLink = /\]\((docs\/[\w-]+\.md)\)/g;
/** A block of code, in which a line with `#` is no heading, or the beginning of a heading. */
const fenceOrHeading = /^ *(?<fence>`{3,}|~{3,})[^]*?^ *\k<fence>|^#/gm;

/** Sources of the package's README. */
interface ReadmeSources {
  readonly readme: string;
  /** Text of each page of `docs/` by its path. */
  readonly pages: Readonly<Record<string, string>>;
  /** Address in `repository` of `package.json`; undefined or empty: none yet. */
  readonly repository?: string | undefined;
}

/**
 * Returns the README for the package, without parts for the repository only. Pictures and pages get absolute addresses in the repository:
 * editors and marketplaces follow no others. Without a repository there are no pictures, and the pages follow as chapters.
 * @throws Error if a link leads to a page that does not exist, or the repository has no https address
 */
export function packagedReadme({ readme, pages, repository = '' }: ReadmeSources): string {
  const text = readme.replaceAll(repositoryOnly, '').trimEnd();
  if (repository === '') return `${withChapters(text.replaceAll(picture, '').trimEnd(), pages)}\n`;
  const address = webAddress(repository);
  const linked = text
    .replaceAll(picture, (_, path: string, alt: string) => `![${alt}](${address}/raw/HEAD/${path})\n\n`)
    .replaceAll(pageLink, (_, path: string) => {
      pageOf(pages, path);
      return `](${address}/blob/HEAD/${path})`;
    });
  return `${linked.trimEnd()}\n`;
}

/** Returns `https://host/owner/name` for an address such as `git+https://host/owner/name.git`. */
function webAddress(repository: string): string {
  const address = repository.replace(/^git\+/, '').replace(/(?:\.git)?\/?$/, '');
  if (!/^https:\/\/[^\s/?#]+\/[^\s?#]+$/.test(address))
    throw new Error(`repository in package.json must be an https address, and is ${repository}`);
  return address;
}

/** Appends the linked pages as chapters, and points their links there. */
function withChapters(text: string, pages: ReadmeSources['pages']): string {
  const paths = [...new Set([...text.matchAll(pageLink)].map(([, path = '']) => path))];
  const chapters = paths.map((path) => ({
    path,
    text: pageOf(pages, path)
      .replaceAll(/<!--[^]*?-->\s*/g, '')
      .replaceAll(fenceOrHeading, (found) => (found === '#' ? '##' : found))
      .trimEnd(),
  }));
  const anchors = new Map(chapters.map((chapter) => [chapter.path, anchor(chapter.text)]));
  return [text, ...chapters.map((chapter) => chapter.text)]
    .join('\n\n')
    .replaceAll(pageLink, (link, path: string) => `](${anchors.get(path) ?? link})`)
    .replaceAll(siblingLink, (_, name: string) => {
      const found = anchors.get(`docs/${name}`);
      if (found === undefined) throw new Error(`a page leads to ${name}, which the README does not`);
      return `](${found})`;
    });
}

function pageOf(pages: ReadmeSources['pages'], path: string): string {
  const page = pages[path];
  if (page === undefined) throw new Error(`the README leads to ${path}, which does not exist`);
  return page;
}

/** Returns the link to a chapter's heading, as Markdown viewers make it. */
function anchor(chapter: string): string {
  const heading = /^#+ (.+)$/m.exec(chapter)?.[1] ?? '';
  return `#${heading
    .toLowerCase()
    .replaceAll(/[^\w\s-]/g, '')
    .replaceAll(' ', '-')}`;
}
