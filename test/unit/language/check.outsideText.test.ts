import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { checkRequest } from '../../../src/language/check.ts';
import { formatTextReport, locateFindings } from '../../../src/language/report.ts';
import { parseRequest } from '../../../src/language/request/requestFile.ts';
import { sarifOf } from '../../support/command/sarifOf.ts';
import { disturbingInLine, hostileText } from '../../support/hostile/hostileText.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';
import { schemaErrors } from './schemaCheck.ts';

const nowMs = Date.UTC(2026, 10, 22);

/** A request with hostile text wherever a finding may quote it. */
function findingsOf(text: string) {
  const request = JSON.stringify({
    [text]: 1,
    audio_url: text,
    language_config: { languages: [text, text, 'en'], [text]: true },
    custom_vocabulary: true,
    custom_vocabulary_config: { vocabulary: [text, text, { value: text, language: text, pronunciations: [text] }] },
    subtitles_config: { formats: [text], style: text },
    summarization: text,
  });
  const file = parseRequest(request);
  return { file, findings: checkRequest(file, schemaErrors, { nowMs }) };
}

describe('A report about a hostile request', () => {
  it('has each message on one line, which cannot forge another line', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const { findings } = findingsOf(text);
        assert(findings.length > 0);
        for (const { message, related = [] } of findings) {
          for (const words of [message, ...related.map((each) => each.message)]) {
            assert.doesNotMatch(words, disturbingInLine);
            assert(words.length <= 500);
          }
        }
      }),
      { numRuns: propertyRuns },
    );
  });

  it('has one line per finding in a terminal, and no command for a build service', () => {
    fc.assert(
      fc.property(hostileText, hostileText, (text, name) => {
        const { file, findings } = findingsOf(text);
        const report = formatTextReport([locateFindings(name, file, findings)]);
        const lines = report.split(/[\r\n\u0085\u2028\u2029]/).slice(0, -1);
        assert.equal(lines.length, findings.length);
        for (const line of lines) {
          assert.match(line, /:\d+:\d+: (?:error|warning|info|hint): .* \[[\w-]+\/[\w-]+\]$/);
          assert.doesNotMatch(line, /::|##\w*\[/);
          assert.doesNotMatch(line, disturbingInLine);
        }
      }),
      { numRuns: propertyRuns },
    );
  });

  it('has no link in SARIF', () => {
    const { file, findings } = findingsOf('[click](https://evil.example)');
    const report = sarifOf('a.json', file, findings);
    assert.match(report, /evil\.example/);
    assert.doesNotMatch(report, /[^\\]\[click/);
  });

  it('shows a duplicate term with line breaks as one term', () => {
    const { findings } = findingsOf('a\n\nService: harmless.example');
    const shown = findings.filter(({ message }) => message.includes('harmless.example'));
    assert(shown.length > 0);
    for (const { message } of shown) assert.match(message, /a Service: harmless\.example/);
  });
});
