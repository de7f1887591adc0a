import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import {
  annotationProperty,
  annotationText,
  fileLine,
  harmlessJson,
  logText,
  oneLine,
  sarifText,
  severalLines,
  terminalJson,
  terminalLine,
  terminalLines,
} from '../../../src/base/outsideText.ts';
import { disturbingInLine, hostileText } from '../../support/hostile/hostileText.ts';
import { propertyRuns } from '../../support/propertyRuns.ts';

describe('Outside text on a line of a file', () => {
  it('loses only characters that would end the line', () => {
    assert.equal(fileLine(' a\r\n\tb\u0000\u2028c\u0085 d '), 'a b c d');
    const text = '\u200fשלום\u200e, bien\u202f! 👩\u200d🚀 \u202eabc\u202c';
    assert.equal(fileLine(text), text);
    fc.assert(
      fc.property(hostileText, (hostile) => assert.doesNotMatch(fileLine(hostile), /[\p{Cc}\p{Zl}\p{Zp}]/u)),
      { numRuns: propertyRuns },
    );
  });
});

describe('Outside text on one line', () => {
  it('contains no disturbing characters, and respects the max length', () => {
    fc.assert(
      fc.property(hostileText, fc.integer({ min: 2, max: 300 }), (text, longest) => {
        const line = oneLine(text, longest);
        assert.doesNotMatch(line, disturbingInLine);
        assert.doesNotMatch(line, /^\s|\s$|\s{2}/);
        assert(line.length <= longest, `${line.length} > ${longest}`);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('keeps the words of ordinary text, including joiners and narrow spaces', () => {
    for (const text of ['Prêt\u202f?', 'می\u200cخواهم', '👩\u200d💻', '夜のラジオ', 'a-b_c.d: 5 %', 'naïve e\u0301']) {
      assert.equal(oneLine(text), text);
    }
    assert.equal(oneLine(' a \t\n b\u202e\u2028c '), 'a b c');
    assert.equal(oneLine('\u202eabc'), 'abc');
  });

  it('ends with an ellipsis if it is truncated', () => {
    assert.equal(oneLine('abcdef', 6), 'abcdef');
    assert.equal(oneLine('abcdefg', 6), 'abcde…');
    assert.equal(oneLine('abcd👩x', 6), 'abcd…');
    assert.equal(oneLine(`${' '.repeat(100_000)}a`, 6), '…');
    assert.equal(oneLine('x'.repeat(121)).length, 120);
  });
});

describe('Outside text in lines', () => {
  it('keeps line feeds and tabs, but no other disturbing characters', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const kept = severalLines(text, 500);
        assert.doesNotMatch(kept.replaceAll(/[\n\t]/g, ''), disturbingInLine);
        assert(kept.length <= 500);
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(severalLines('a\r\nb\rc\td\u2028e\u202ef\u202fg', 100), 'a\nb\nc\td e f\u202fg');
    assert.equal(severalLines('abcdef', 5), 'abcd…');
  });

  it('cannot forge a log entry', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        for (const line of logText(`GET /v2/live: ${text}`)
          .split(/[\r\n\u2028\u2029\u0085]/)
          .slice(1)) {
          assert.match(line, /^ {4}/);
        }
        assert(logText(text).length < 60_000);
      }),
      { numRuns: propertyRuns },
    );
  });
});

describe('Outside text in a terminal', () => {
  it('contains no command for a build service, and no second finding', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const line = terminalLine(text);
        assert.doesNotMatch(line, disturbingInLine);
        assert.doesNotMatch(line, /::|##\w*\[/);
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(terminalLine('::error::x'), ': :error: :x');
    assert.equal(terminalLine('##[error]'), '## [error]');
    assert.equal(terminalLine(':::'), ': : :');
  });

  it('contains no command in several lines, which keep their kind of line breaks', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const lines = terminalLines(text);
        assert.doesNotMatch(lines.replaceAll(/\r\n|[\n\t]/g, ''), disturbingInLine);
        assert.doesNotMatch(lines, /::|##\w*\[/);
        assert.equal(terminalLines(lines), lines);
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(terminalLines('  a\r\nb\rc\n\td\u001b[2J::x '), '  a\r\nb\nc\n\td [2J: :x ');
  });

  it('keeps its JSON value, without commands', () => {
    fc.assert(
      fc.property(fc.dictionary(hostileText, hostileText), fc.constantFrom('\n', '\r\n', '\r'), (value, lineBreak) => {
        const json = JSON.stringify(value, undefined, 2).replaceAll('\n', lineBreak);
        const written = terminalJson(json);
        assert.deepEqual(JSON.parse(written), JSON.parse(json));
        assert.doesNotMatch(written.replaceAll(/[\n\t]/g, ''), disturbingInLine);
        assert.doesNotMatch(written, /^\s*::|##\w*\[/m);
      }),
      { numRuns: propertyRuns },
    );
    const json = '{"a::b": "https://[2001:db8::1]/"}';
    assert.equal(terminalJson(json), json);
    assert.equal(terminalJson('"##[x] ##vso[y]"'), String.raw`"##\u005bx] ##vso\u005by]"`);
  });

  it('cannot end an annotation or a property of one', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        assert.doesNotMatch(annotationText(text), /[\r\n]|%(?!25)/);
        assert.doesNotMatch(annotationProperty(text), /[\r\n:,]|%(?!25|3A|2C)/);
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(annotationProperty('a:b,c%0A'), 'a%3Ab%2Cc%250A');
  });

  it('cannot become a link in SARIF', () => {
    fc.assert(
      fc.property(hostileText, (text) => {
        const written = sarifText(text);
        assert.doesNotMatch(written.replaceAll(/\\[[\]\\]/g, ''), /[[\]\\]/);
      }),
      { numRuns: propertyRuns },
    );
    assert.equal(sarifText(String.raw`[a](1) \[`), String.raw`\[a\](1) \\\[`);
  });
});

describe('JSON of a document', () => {
  it('keeps its value and shows every disturbing character', () => {
    fc.assert(
      fc.property(fc.dictionary(hostileText, fc.oneof(hostileText, fc.array(hostileText))), (value) => {
        const json = JSON.stringify(value, undefined, 2);
        const written = harmlessJson(json);
        assert.deepEqual(JSON.parse(written), JSON.parse(json));
        assert.doesNotMatch(written.replaceAll(/[\n\r\t]/g, ''), disturbingInLine);
      }),
      { numRuns: propertyRuns },
    );
  });

  it('is unchanged without disturbing characters', () => {
    const json = '{\r\n\t"é": "夜 \\n 👩\u200d💻 \u202f", "n": 1.50}';
    assert.equal(harmlessJson(json), json);
    assert.equal(harmlessJson('"\u202e\u{e0041}"'), String.raw`"\u202e\udb40\udc41"`);
  });
});
