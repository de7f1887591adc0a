/**
 * A text as notifications and input boxes are to show it. The editor makes a link of `[label](target)` in them, which may run a command;
 * names of jobs and files and the service's own words shall stay words. A word joiner in the middle, which nobody sees, keeps them so.
 */
export function plainMessage(text: string): string {
  return text.replaceAll('](', ']\u2060(');
}
