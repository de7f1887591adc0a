import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../../src/base/failure.ts';
import { failureText } from '../../../src/base/failureText.ts';
import { allTexts } from '../../soak/texts.ts';
import { hostErrors, logFindings, pageErrors } from '../../soak/checks/logFindings.ts';

const at = '2026-11-21 12:00:00.123';

test('failures that we know are counted by their code, whatever stands before it', () => {
  const { codes, unknown } = logFindings(
    [
      `${at} [info] GET /v2/live 200`,
      `${at} [error] serverFailed 503: Overloaded`,
      `${at} [warning] watch: offline: ECONNRESET`,
      `${at} [warning] timeout`,
    ].join('\n'),
  );
  assert.deepEqual(
    [...codes],
    [
      ['serverFailed', 1],
      ['offline', 1],
      ['timeout', 1],
    ],
  );
  assert.deepEqual(unknown, []);
});

test('an error without a code that we know is found, and so is anything that says where it was thrown', () => {
  const { unknown } = logFindings(
    [
      `${at} [error] list live: TypeError: x is undefined`,
      `${at} [error] offlines: no code`,
      `${at} [warning] Error: late`,
      '    at f (extension.js:1:1)',
      '    at g (extension.js:1:1)',
    ].join('\n'),
  );
  assert.deepEqual(unknown, [
    `${at} [error] list live: TypeError: x is undefined`,
    `${at} [error] offlines: no code`,
    `${at} [warning] Error: late`,
  ]);
});

test('what users are told when they ask for what cannot be done is no error, in either language', () => {
  const refusals = allTexts.flatMap((texts) => [
    texts.message("This job can't be resubmitted. {0}").replace('{0}', 'x'),
    texts.message('Nothing was sent: another window just sent the same request.'),
    texts.message('The list was just refreshed. Try again.'),
  ]);
  const other = `${at} [error] This job can't be opened.`;
  const log = [...refusals.map((message) => `${at} [error] ${message}`), other].join('\n');
  assert.deepEqual(logFindings(log).unknown, [other]);
  // With the place where it was thrown, it is one that was not meant for users.
  assert.equal(logFindings(`${at} [error] ${refusals[0]}\n    at f (extension.js:1:1)`).unknown.length, 1);
  assert.deepEqual(pageErrors(refusals), []);
});

test('an unhandled rejection in the host is found', () => {
  assert.deepEqual(
    hostErrors(`${at} [info] started\n${at} [error] rejected promise not handled within 1 second: Error`),
    [`${at} [error] rejected promise not handled within 1 second: Error`],
  );
});

test('what the editor logs of itself is not ours', () => {
  const noise = [
    "Error: Cannot find module './build/Release/watchdog'",
    "No tree item with id '1/Remote/live' found.",
    'Error: Cannot resolve tree item for element 1/Remote/pre-recorded?status=queued from extension a.b',
    'Actual command not found, wanted to execute transcriptionJobs.loadMore /30 a undefined',
    'No bundle location found for extension vscode.git',
  ];
  const ours = [
    'Actual command not found, wanted to execute another.command',
    // A document that is open keeps its text where there is no connection.
    ...allTexts.map((texts) => `Error: ${texts.message('No usable connection.')}`),
  ].map((line) => `${at} [error] ${line}`);
  const log = [...noise.map((line) => `${at} [error] ${line}`), ...ours];
  assert.deepEqual(hostErrors(log.join('\n')), ours);
});

test('what the editor logs of messages about the service is no error, another text is one', () => {
  const shown = [
    'Rate limit reached. The service says: Too many requests. Try again after 8:08:20 AM.',
    "The response can't be read (HPE_INVALID_CONSTANT). Check the base URL.",
    'The response is not JSON. It starts with: <html>',
    ...allTexts.map((texts) =>
      texts.speaking(() => failureText(new Failure('serverFailed', { status: 502 })).sentence),
    ),
  ];
  assert.deepEqual(pageErrors([...shown, 'TypeError: x is undefined']), ['TypeError: x is undefined']);
});
