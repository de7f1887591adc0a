import { Failure, failureCodes, type FailureCode } from '../../../src/base/failure.ts';
import { failureText } from '../../../src/base/failureText.ts';
import { batchEnds, batchRefusals } from '../actions/batchActions.ts';
import { refusals } from '../actions/dayActions.ts';
import { outcomes, sentByOther } from '../actions/submitAction.ts';
import { allTexts, sourceOf } from '../texts.ts';

const entry = /^\d{4}-\d\d-\d\d [\d:.]+ \[(\w+)\] (.*)$/;
/** A failure of the service or the network as the log writes it: the code, an HTTP status and a description. */
const known = new RegExp(String.raw`^(?:\w+: |list \S+: )?(${failureCodes.join('|')})(?: \d{3})?(?::|$)`);

/** Messages to users about actions that are impossible. Such a message is logged, too, and is no fault. */
const refused = allTexts.map((texts) =>
  // The menu of a row was used at the moment when the list was rendered again.
  texts.start(...refusals, ...batchRefusals, sentByOther, 'The list was just refreshed. Try again.'),
);

function isRefusal(message: string): boolean {
  return refused.some((each) => each.test(message));
}

/** Problems found in a log. */
export interface LogFindings {
  /** Number of log entries for each known code, at any level. */
  readonly codes: ReadonlyMap<string, number>;
  /** Errors without a known code, and entries with a stack trace. */
  readonly unknown: readonly string[];
}

/** Searches the text of our log channel. */
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
      else if (level === 'error' && !isRefusal(message)) unknown.push(line);
    }
    // Expected failures are logged without a stack trace.
    if (/^\s+at /.test(line) && unknown.at(-1) !== last) unknown.push(last);
  }
  return { codes, unknown };
}

/** A row was clicked while the tree was rendered, so its command no longer existed. */
const clickLost = /Actual command not found, wanted to execute transcriptionJobs\./;

/** Errors that the editor itself logs, whatever extensions do. */
const ofTheEditor = [
  // Server parts that are not built for it, and a second window on the same workspace.
  /Cannot find module '\.\/build\/Release\//,
  /EEXIST: file already exists, open '.*vscode\.lock'/,
  // The language pack of the second window has no texts for the editor's own extensions.
  /No bundle location found for extension vscode\./,
  clickLost,
  // A row's children were requested while the tree was rendered.
  /No tree item with id '.*' found\./,
  // A row was revealed before the tree had received it or the group above it; the reveal is retried.
  /Failed to resolve tree node for element /,
  /Cannot resolve tree item for element \S+ from extension /,
];

/** Messages in the browser's console that do not indicate a fault. */
const ofTheBrowser = [
  // A row was rendered or refreshed while it was removed together with its parent. The editor catches this itself.
  /TreeError \[transcriptionJobs\.jobs\] (?:Data tree node|Tree element) not found/,
  clickLost,
  // A page was closed while it was loading.
  /^failed: \S+(?:\/webview\/browser\/pre\/|\.vscode-resource\.)\S+ net::ERR_ABORTED$/,
  /^Could not find inner client for request$/,
  // The editor searches there for texts of its own extensions in the language of the second window.
  /Error: No extension gallery service configured\.\s+at [^]*getBuiltInExtensionTranslationsUri/,
  // When a file (here: the settings) is saved, the editor does not wait for a slow extension host.
  /Aborted onWillSaveTextDocument-event after \d+ms/,
  // The editor also logs the text of messages.
  ...allTexts.map((texts) => texts.start(...outcomes, ...batchEnds)),
  ...refused,
];

/** Failures that a service in bad weather causes. */
const ofTheWeather = [
  'keyRejected',
  'notFound',
  'rateLimited',
  'serverFailed',
  'timeout',
  'offline',
  'notJson',
  'unexpectedShape',
  'tooLarge',
  'redirected',
] as const satisfies readonly FailureCode[];

/** Messages to users about these failures, up to the part that depends on the response. */
const shown = allTexts.flatMap((texts) =>
  ofTheWeather.flatMap((code) =>
    [{}, { cause: 'ECONNRESET' }, { serviceMessage: '<html>' }].map((facts) => {
      const { sentence } = texts.speaking(() => failureText(new Failure(code, facts)));
      return new RegExp(`^${sourceOf(sentence.replace(/\s?[.(][^]*$/u, ''))}`, 'u');
    }),
  ),
);

/** Returns errors that the browser reported. The editor also logs messages to users about data that could not be read. */
export function pageErrors(errors: readonly string[]): readonly string[] {
  const isTold = (error: string): boolean => shown.some((sentence) => sentence.test(error));
  return errors.filter((error) => !isTold(error) && !ofTheBrowser.some((known) => known.test(error)));
}

/** Returns errors in the log of the extension hosts, which includes extensions' unhandled rejections. */
export function hostErrors(log: string): readonly string[] {
  return log
    .split('\n')
    .filter((line) => /\[error\]|unhandled|rejected promise/i.test(line))
    .filter((line) => !ofTheEditor.some((known) => known.test(line)));
}
