import type { CheckedFile } from './checkedFile.ts';

/** One line per finding, `file:line:column: severity: message [code]`, as the problem matcher `$transcription` reads it. */
export function textReport(files: readonly CheckedFile[]): string {
  return files
    .flatMap(({ name, findings }) =>
      findings.map(
        ({ finding: { severity, message, code }, begin }) =>
          `${name}:${begin.line}:${begin.column}: ${severity}: ${message} [${code}]\n`,
      ),
    )
    .join('');
}
