import { Failure, failureCodes, type FailureCode } from '../../../src/base/failure.ts';
import { failureText } from '../../../src/base/failureText.ts';
import { describeSource, explainAllTopics } from '../../../src/language/explainTopic.ts';
import { requestGlob } from '../../../src/language/requestGlob.ts';
import { listTemplates, writeNewRequest } from '../../../src/features/requests/common/templates.ts';
import { codeOfStatus } from '../../../src/platform/http/reply.ts';

const generated = '<!-- Generated from the code by `npm run docs`. -->';

/** Generates pages and snippets from the code, by file, so that they show the same rules, messages and templates as the editor. */
export function referencePages(): Readonly<Record<string, string>> {
  return {
    'docs/rules.md': rulesPage(),
    'docs/error-codes.md': errorCodesPage(),
    'media/snippets/requests.json': `${JSON.stringify(requestSnippets(), undefined, 2)}\n`,
  };
}

/** A snippet as the editor reads it from a file. */
interface EditorSnippet {
  readonly prefix: string;
  readonly description: string;
  readonly body: readonly string[];
  /** Editors older than 1.109 ignore this, and offer the snippet in every JSON file. */
  readonly include: readonly string[];
}

/** Returns the templates of requests as snippets for the editor, with a tab stop in the quotes of the address. */
function requestSnippets(): Readonly<Record<string, EditorSnippet>> {
  return Object.fromEntries(
    listTemplates(true).map(({ id, label, description, body }) => {
      const { text, cursor } = writeNewRequest(body);
      const written = `${escapeSnippet(text.slice(0, cursor))}$1${escapeSnippet(text.slice(cursor).trimEnd())}`;
      const prefix = `transcription-${id}`;
      return [`Transcription: ${label}`, { prefix, description, body: written.split('\n'), include: [requestGlob] }];
    }),
  );
}

function escapeSnippet(text: string): string {
  return text.replaceAll(/[$\\]/g, String.raw`\$&`);
}

/** Request files, as in `requestFileType.ts`, which needs an editor. */

function rulesPage(): string {
  const topics = explainAllTopics();
  const rules = topics.flatMap(({ rules }) => rules);
  return page(
    '# Rules for request files',
    'Only errors stop a submission: broken JSON and wrong types. A rule never does. `transcriptionJobs.rules` sets its level to `off`, `hint`, `info` or `warning`. In the editor, the name of a rule leads to its explanation; so does `transcription-requests explain RULE`.',
    'Each rule has one source: a section of the interface, data about [Gladia](public-service.md), how addresses and hosts work, or the request itself, which repeats or contradicts itself. Fixes on save keep what the service would do and every value that it would use; all other fixes are offered one by one. An editor checks files of up to two million characters while they are edited, and larger ones on command; it does not submit these.',
    table(
      ['Rule', 'Default', 'Source', 'What it says'],
      rules.map(({ code, severity, source, explain }) => [`\`${code}\``, severity, describeSource(source), explain()]),
    ),
    ...topics.flatMap(({ title, paragraphs }) => [`## ${title}`, ...paragraphs]),
  );
}

function errorCodesPage(): string {
  const rows = failureCodes.map((code) => {
    const status = exampleStatus(code);
    const { sentence, nextStep } = failureText(new Failure(code, status === undefined ? {} : { status }));
    return [`\`${code}\``, statusesOf(code), sentence, nextStep ?? ''];
  });
  return page(
    '# Error codes',
    'The log (`Transcription: Show Log`) has a line for each request with its status, its duration and, if it failed, one of these codes: `GET /v2/live?offset=0&limit=20&status=done → 401 keyRejected, 12 ms`. Without a usable connection or key nothing is sent, so there is no such line. Messages also say what the service said.',
    table(['Code', 'HTTP status', 'What it says', 'What to do'], rows),
  );
}

const statuses = Array.from({ length: 300 }, (_, index) => index + 300);

function exampleStatus(code: FailureCode): number | undefined {
  return statuses.find((status) => codeOfStatus(status) === code);
}

/** Lists the statuses with a code; a range of hundreds as `4xx`, or as "other 4xx" if some of its statuses have another code. */
function statusesOf(code: FailureCode): string {
  const own = statuses.filter((status) => codeOfStatus(status) === code);
  const hundreds = [3, 4, 5].filter(
    (hundred) => own.filter((status) => Math.floor(status / 100) === hundred).length > 50,
  );
  if (hundreds.length === 0) return own.join(', ');
  return hundreds
    .map((hundred) => {
      const isWhole = own.filter((status) => Math.floor(status / 100) === hundred).length === 100;
      return isWhole ? `${hundred}xx` : `other ${hundred}xx`;
    })
    .join(', ');
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const width = head.map((_, column) => Math.max(3, ...[head, ...rows].map((row) => cell(row[column]).length)));
  const line = (row: readonly string[]): string =>
    `| ${width.map((each, column) => cell(row[column]).padEnd(each)).join(' | ')} |`;
  return [line(head), `| ${width.map((each) => '-'.repeat(each)).join(' | ')} |`, ...rows.map(line)].join('\n');
}

function cell(text = ''): string {
  return text.replaceAll('|', '\\|');
}

function page(title: string, ...parts: readonly string[]): string {
  return `${[title, generated, ...parts].join('\n\n')}\n`;
}
