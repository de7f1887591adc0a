#!/usr/bin/env node
import { isatty } from 'node:tty';
import { schemaErrors } from 'request-validator:';
import { runCli } from './runCli.ts';

/** Version from the manifest, set by the build. */
declare const productVersion: string;

// The command `transcription-requests`, which needs no editor; `--help` describes it.

// The reader of the output may stop early, like `head`.
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
