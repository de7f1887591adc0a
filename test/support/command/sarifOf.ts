import { createSarifReporter } from '../../../src/cli/sarifReport.ts';
import type { Finding } from '../../../src/language/request/finding.ts';
import type { RequestFile } from '../../../src/language/request/requestFile.ts';

/** Returns the SARIF report about one file. */
export function sarifOf(name: string, request: RequestFile, findings: readonly Finding[]): string {
  const reporter = createSarifReporter('1.2.3', () => undefined);
  reporter.add({ path: undefined, name, text: request.text, request, findings });
  return reporter.end({ exitCode: 0, failures: [], notes: [], settings: [], omissions: [] });
}
