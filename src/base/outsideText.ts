/**
 * Sanitizes text from outside: responses, files, settings, file names, arguments. All such text passes through one of these functions
 * before it reaches a log, dialog, notification, terminal, report, document or model. Each runs in time linear in its result.
 */

/**
 * Characters that move, hide or reorder the text around them: line breaks, control and direction characters, unpaired
 * surrogates, and repeated spaces. Joiners are allowed, because letters and emoji need them, and so are single spaces of
 * other widths, as before a French question mark.
 */
const disturbing =
  /(?:[\s\p{Cc}\p{Cs}]|(?![\u200c\u200d])\p{Cf}){2,}|[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/gu;
const disturbingWithinLines = /(?![\n\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/**
 * Returns a text on one line: disturbing characters become a space, and longer text is truncated with "…".
 * @param longest in characters, including the "…".
 */
export function oneLine(text: string, longest = 120): string {
  const beginning = text.slice(0, readAhead(longest));
  const line = beginning.replace(disturbing, ' ').trim();
  return line.length > longest || beginning.length < text.length ? `${cut(line, longest - 1)}…` : line;
}

/** True if a text is a single line within the length limit without disturbing characters, so that it can be shown unchanged. */
export function isPlainLine(text: string, longest: number): boolean {
  // Most IDs need no more.
  if (text.length <= longest && /^[\w.:-]+$/.test(text)) return true;
  return text.length <= longest && !/[\t\n]/.test(text) && text.search(disturbingWithinLines) === -1;
}

/**
 * Returns a text on one line of a file. Only characters that would end the line change: line breaks and control
 * characters become a space. Everything else stays unchanged, including direction marks, because a file keeps the
 * spoken text.
 */
export function fileLine(text: string): string {
  return text.replaceAll(/[ \p{Cc}\p{Zl}\p{Zp}]+/gu, ' ').trim();
}

/** Returns a text without characters that are not visible: format characters, such as a zero-width space or a direction mark. */
export function removeInvisible(text: string): string {
  return text.replaceAll(/\p{Cf}/gu, '');
}

/**
 * Keeps lines and tabs and removes other disturbing characters, for documents and models. Longer text is truncated with "…".
 * @param longest in characters.
 */
export function severalLines(text: string, longest: number): string {
  const whole = text.length <= longest ? text : `${cut(text, longest - 1)}…`;
  return whole.replaceAll(/\r\n?/g, '\n').replace(disturbingWithinLines, ' ');
}

/** Returns a log entry. Further lines, as in stack traces, are indented, so that they cannot be mistaken for entries. */
export function logText(text: string): string {
  return severalLines(text, 10_000).trimEnd().replaceAll('\n', '\n    ');
}

/**
 * Returns a line for a terminal or build log. Commands of build services (`::error::`, `##[group]`, `##vso[…]`) are
 * neutralized.
 * @param text one finding, one sentence; not the whole output.
 */
export function terminalLine(text: string): string {
  return withoutRunnerCommands(oneLine(text, 2000));
}

/**
 * Returns lines for a terminal or build log, such as a diff. Indentation, length and the kind of line breaks stay, and
 * commands of build services are neutralized.
 */
export function terminalLines(text: string): string {
  const lines = text.split('\r\n').map((each) => severalLines(each, Infinity));
  return withoutRunnerCommands(lines.join('\r\n'));
}

/**
 * Returns equivalent JSON text for a terminal or build log. Escapes disturbing characters and possible commands of a
 * build service. No line of valid JSON begins with `::`, which is a command at the beginning only.
 */
export function terminalJson(json: string): string {
  // Outside strings, JSON contains neither of the two.
  return harmlessJson(json.replaceAll(/\r\n?/g, '\n')).replaceAll(
    /(##\w*)\[/g,
    (_, before: string) => `${before}${unicodeEscape(0x5b)}`,
  );
}

function withoutRunnerCommands(text: string): string {
  return text.replaceAll(/:(?=:)/g, ': ').replaceAll(/##(?=\w*\[)/g, '## ');
}

/** Returns the text of a SARIF message, in which `[words](target)` would be a link (SARIF 2.1.0, 3.11.6). */
export function sarifText(text: string): string {
  return oneLine(text, 2000).replaceAll(/[[\]\\]/g, String.raw`\$&`);
}

/** Returns the message of a command to GitHub's runner: `::error file=…::message`. */
export function annotationText(text: string): string {
  return oneLine(text, 2000).replaceAll('%', '%25');
}

/** Returns the value of a property of such a command. */
export function annotationProperty(text: string): string {
  return annotationText(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
}

/** Returns equivalent JSON text with disturbing characters escaped; whitespace between values is kept. For documents. */
export function harmlessJson(json: string): string {
  // Outside strings, JSON allows only white space, which is not escaped here.
  return json.replaceAll(/(?![\n\r\t\u200c\u200d])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (found) =>
    found.length === 1
      ? unicodeEscape(found.charCodeAt(0))
      : unicodeEscape(found.charCodeAt(0)) + unicodeEscape(found.charCodeAt(1)),
  );
}

function unicodeEscape(unit: number): string {
  return String.raw`\u${unit.toString(16).padStart(4, '0')}`;
}

/**
 * Returns the number of characters to read. Whitespace is collapsed, so more is read to avoid truncating ordinary text
 * too early.
 */
function readAhead(longest: number): number {
  return 4 * longest + 200;
}

/** Returns the start of a text, without an incomplete surrogate pair at its end. */
function cut(text: string, length: number): string {
  const end = /[\ud800-\udbff]/.test(text.charAt(length - 1)) ? length - 1 : length;
  return text.slice(0, end);
}

/** Most of a body may be markup and white space. */
const maxBeginningLength = 20_000;

/**
 * Returns the start of a response body as plain text: tags and scripts removed, one line, at most 120 characters. May
 * contain secrets.
 */
export function extractWords(text: string): string {
  // Split at tags instead of matching them, because a hostile page could cause catastrophic backtracking.
  let hidden: string | undefined;
  let words = '';
  for (const [index, part] of text.slice(0, maxBeginningLength).split('<').entries()) {
    const end = index === 0 ? -1 : part.indexOf('>');
    const name = index === 0 ? '' : (/^\/?\w*/.exec(part)?.[0].toLowerCase() ?? '');
    if (hidden === undefined && ['script', 'style', 'head'].includes(name)) hidden = `/${name}`;
    else if (hidden === name) hidden = undefined;
    if (hidden === undefined && (index === 0 || end >= 0)) words += `${part.slice(end + 1)} `;
  }
  return oneLine(words);
}
