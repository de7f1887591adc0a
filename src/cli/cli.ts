#!/usr/bin/env node
import { fstatSync, writeFileSync } from 'node:fs';
import { isatty } from 'node:tty';
import { schemaErrors } from 'request-validator:';
import { programName } from './cliArguments.ts';
import { runCli } from './runCli.ts';

/** Version from the manifest, set by the build. */
declare const productVersion: string;

// The command `transcription-requests`, which needs no editor; `--help` describes it.

/** Exit code for a failure of the command itself. With 1, it would mean that the files have errors. */
const failedExitCode = 2;

function failAtEnd(): void {
  process.once('exit', () => (process.exitCode = failedExitCode));
}

/** Reports that the output is incomplete, which is a failure whatever the command found. */
function reportLostOutput(error: Error): void {
  process.stderr.write(`${programName}: the output can't be written: ${error.message}\n`);
  failAtEnd();
}

// The reader of a pipe may stop early, like `head`. The command goes on: it may have files to fix.
const isUnread = (error: NodeJS.ErrnoException): boolean => error.code === 'EPIPE';
process.stdout.on('error', (error: Error) => isUnread(error) || reportLostOutput(error));
process.stderr.on('error', (error: Error) => isUnread(error) || failAtEnd());

/** Files and devices are written to directly: the stream of Node does not notice if a disk takes only a part. */
function write(text: string): void {
  if (isTerminal || isPipe) process.stdout.write(text);
  else if (!isLost) {
    try {
      writeFileSync(1, text);
    } catch (error) {
      isLost = true;
      reportLostOutput(error instanceof Error ? error : new Error(String(error)));
    }
  }
}
const isTerminal = isatty(1);
const isPipe = !isTerminal && isPipeOrSocket(1);
let isLost = false;

function isPipeOrSocket(descriptor: number): boolean {
  const stats = fstatSync(descriptor);
  return stats.isFIFO() || stats.isSocket();
}

try {
  process.exitCode = await runCli(process.argv.slice(2), {
    folder: process.cwd(),
    version: productVersion,
    check: schemaErrors,
    now: () => Date.now(),
    env: process.env,
    out: { write },
    complaints: process.stderr,
    isTerminal,
  });
} catch (error) {
  console.error(error);
  process.exitCode = failedExitCode;
}
