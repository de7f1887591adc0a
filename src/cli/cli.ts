#!/usr/bin/env node
import { isatty } from 'node:tty';
import { schemaErrors } from 'request-validator:';
import { runCli } from './runCli.ts';

/** From the manifest, set by the build. */
declare const productVersion: string;

// The command `transcription-requests`, without an editor: `--help` says what it can do.

// Whoever reads the output may stop early, as `head` does.
process.stdout.on('error', () => process.exit());
process.exitCode = await runCli(process.argv.slice(2), {
  folder: process.cwd(),
  version: productVersion,
  check: schemaErrors,
  now: () => Date.now(),
  out: process.stdout,
  complaints: process.stderr,
  isTerminal: isatty(1),
});
