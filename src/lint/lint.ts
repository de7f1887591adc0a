import { schemaErrors } from 'request-validator:';
import { runLint } from './runLint.ts';

// Checks request files from the command line: `node dist/lint.js [--format text|sarif] [--service auto|none|gladia] FILES…`.

process.exitCode = await runLint(process.argv.slice(2), {
  folder: process.cwd(),
  check: schemaErrors,
  nowMs: Date.now(),
  out: process.stdout,
  complaints: process.stderr,
});
