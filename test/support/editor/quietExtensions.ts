/**
 * The built-in extensions that tests run with: JSON, settings, Markdown and themes. The others (Git, accounts, all
 * other languages) would start in every window and are not tested.
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
