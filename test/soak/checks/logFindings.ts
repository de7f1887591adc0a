import { failureCodes } from '../../../src/domain/failure.ts';
import { outcome } from '../actions/submitAction.ts';

const entry = /^\d{4}-\d\d-\d\d [\d:.]+ \[(\w+)\] (.*)$/;
/** A failure of the service or the road to it, as the log names it: the code, an HTTP status, and words. */
const known = new RegExp(String.raw`^(?:\w+: |list \S+: )?(${failureCodes.join('|')})(?: \d{3})?(?::|$)`);

/** What a log says of things that went wrong. */
export interface LogFindings {
  /** How often each known code was logged, at whatever level. */
  readonly codes: ReadonlyMap<string, number>;
  /** Errors without a known code, and whatever came with the place where it was thrown. */
  readonly unknown: readonly string[];
}

/** Looks through the text of our log channel. */
export function logFindings(log: string): LogFindings {
  const codes = new Map<string, number>();
  const unknown: string[] = [];
  let last = '';
  for (const line of log.split('\n')) {
    const [, level, message = ''] = entry.exec(line) ?? [];
    if (level !== undefined) last = line;
    if (level === 'error' || level === 'warning') {
      const code = known.exec(message)?.[1];
      if (code !== undefined) codes.set(code, (codes.get(code) ?? 0) + 1);
      else if (level === 'error') unknown.push(line);
    }
    // Failures are logged without it: nobody expected this one.
    if (/^\s+at /.test(line) && unknown.at(-1) !== last) unknown.push(last);
  }
  return { codes, unknown };
}

/** A row was clicked while the tree was drawn anew, and what it would have run was gone. */
const clickLost = /Actual command not found, wanted to execute transcriptionJobs\./;

/** What the editor logs of itself, whatever extensions do. */
const ofTheEditor = [
  // Parts of the server that are not built for it, and a second window on the same workspace.
  /Cannot find module '\.\/build\/Release\//,
  /EEXIST: file already exists, open '.*vscode\.lock'/,
  clickLost,
  // A row's children were asked for while the tree was drawn anew.
  /No tree item with id '.*' found\./,
  // A row was looked for before the tree had taken it in; it is looked for again.
  /Failed to resolve tree node for element /,
];

/** What stands in the browser's console although nothing went wrong that a test could show. */
const ofTheBrowser = [
  // A row was drawn, or refreshed, while it was taken out of the tree with the one above it. The editor catches this itself.
  /TreeError \[transcriptionJobs\.jobs\] (?:Data tree node|Tree element) not found/,
  clickLost,
  // A page was closed while it was loading.
  /^failed: \S+(?:\/webview\/browser\/pre\/|\.vscode-resource\.)\S+ net::ERR_ABORTED$/,
  /^Could not find inner client for request$/,
  // What a message tells the user is logged, too.
  outcome,
];

/** What the browser complained of. */
export function pageErrors(errors: readonly string[]): readonly string[] {
  return errors.filter((error) => !ofTheBrowser.some((known) => known.test(error)));
}

/** Errors in the log of the extension hosts, where unhandled rejections of extensions end up. */
export function hostErrors(log: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => /\[error\]|unhandled|rejected promise/i.test(line))
    .filter((line) => !ofTheEditor.some((known) => known.test(line)));
}
