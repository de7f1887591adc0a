import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'yaml';
import { oneLine } from '../../../src/base/outsideText.ts';
import { writeFrontMatter } from '../../../src/jobs/common/frontMatter.ts';
import { hostileText } from '../hostile/hostileText.ts';

/** Pieces of text that are syntax, or not a string, in YAML. */
const syntax = [
  '---',
  '\n---\n',
  '...',
  '- ',
  '? ',
  ': ',
  ' #',
  '#',
  '!!binary ',
  '!<tag:yaml.org,2002:js/function>',
  '&a ',
  '*a',
  '<<: *a',
  '%YAML 1.2',
  '| ',
  '>- ',
  '{a: b}',
  '[a, b]',
  '"',
  "'",
  '\\',
  '\\x41',
  '\\N',
  '@',
  '`',
  'null',
  '~',
  'yes',
  'NO',
  '1e3',
  '0x1F',
  '12:30:45',
  '2026-11-19',
  '.inf',
  '\u0085',
  '\ufffe',
  '\uffff',
] as const;
const drawnText = fc
  .array(fc.oneof(hostileText, fc.constantFrom(...syntax)), { maxLength: 4 })
  .map((pieces) => pieces.join(''));

/** In characters. */
const [maxLength, maxMetadataLength] = [500, 200];

/** Reads front matter of drawn facts with another parser, by both versions of YAML, and compares the values. */
export function checkDrawnFrontMatter(numRuns: number): void {
  const link = fc.option(fc.webUrl(), { nil: undefined });
  fc.assert(
    fc.property(drawnText, drawnText, fc.array(drawnText, { maxLength: 3 }), link, (id, title, languages, job) => {
      const written = writeFrontMatter({
        id,
        createdAtMs: 0,
        title,
        customer: title,
        metadata: [[title, id]],
        lengthMs: 3_723_000,
        languages,
        link: job,
      });
      const [yaml = '', ...rest] = written.replace(/^---\n/, '').split('\n---\n');
      assert.deepEqual(rest, ['\n']);
      const line = (text: string): string => oneLine(text, maxLength);
      for (const version of ['1.1', '1.2'] as const) {
        const { created, ...facts } = parse(yaml, { version, strict: true }) as Readonly<Record<string, unknown>>;
        assert.equal(new Date(String(created)).getTime(), 0);
        assert.deepEqual(facts, {
          id: line(id),
          title: line(title),
          customer: line(title),
          length: '01:02:03',
          ...(languages.length > 0 && { languages: languages.map(line) }),
          ...(job !== undefined && { job: line(job) }),
          metadata: Object.fromEntries([[oneLine(title, maxMetadataLength), oneLine(id, maxMetadataLength)]]),
        });
      }
    }),
    { numRuns },
  );
}
