/**
 * The editor's own extensions with which tests run: those for JSON, settings, explanations in Markdown and looks. The others (Git, accounts,
 * all other languages) would start with every window, ask for this and that, and have no part in what is tested.
 */
export const quietExtensions: readonly string[] = [
  'configuration-editing',
  'json',
  'json-language-features',
  'markdown-basics',
  'markdown-language-features',
  'theme-defaults',
  'theme-seti',
];
