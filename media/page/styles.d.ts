/** Style sheets that a page imports, for the bundler to put beside it. */
declare module '*.css' {}
