/** Style sheets that a page imports; the bundler writes them beside it. */
declare module '*.css' {}
