import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkRules, ruleCatalog } from '../../../../src/language/check.ts';
import type { Finding, Severity } from '../../../../src/language/request/finding.ts';
import { findServiceKnowledge } from '../../../../src/known/serviceKnowledge.ts';
import { withChanges } from '../withChanges.ts';
import { parseRequest, placeRange, type RequestFile } from '../../../../src/language/request/requestFile.ts';

/** Current time for rules, in milliseconds since the epoch. */
const nowMs = Date.parse('2026-11-20T12:00:00Z');

/** The mildest first. */
const levels: readonly Severity[] = ['hint', 'info', 'warning', 'error'];

export interface FiringCase {
  /** Text of a request, with each expected range between « and ». */
  readonly text: string;
  /** Expected texts after each fix of the first finding, in order; defaults to no fixes. */
  readonly fixed?: readonly string[];
}

/** Tests that a rule fires at the marked places and nowhere else, and that its fixes produce the expected texts. */
export function fires(code: string, ...cases: readonly FiringCase[]): void {
  for (const { text, fixed = [] } of cases) {
    test(`${code} fires in ${text}`, () => {
      const request = parseRequest(text.replaceAll(/[«»]/gu, ''));
      const findings = findingsOf(request, code);
      assert.equal(marked(request, findings), text);
      const shown = ruleCatalog.find((rule) => rule.code === code)?.severity ?? assert.fail('not in the catalog');
      const isAbove = findings.some(({ severity }) => levels.indexOf(severity) > levels.indexOf(shown));
      assert.ok(!isAbove, 'the catalog shows the highest severity');
      const [first] = findings;
      assert.deepEqual(
        (first?.fixes ?? []).map(({ changes }) => withChanges(request, changes)),
        fixed,
      );
      for (const { related } of findings) {
        for (const { place } of related ?? []) assert.notEqual(placeRange(request, place).length, 0);
      }
    });
  }
}

/** Tests that a rule has no findings. */
export function isSilent(code: string, ...texts: readonly string[]): void {
  for (const text of texts) {
    test(`${code} is silent in ${text}`, () => assert.deepEqual(findingsOf(parseRequest(text), code), []));
  }
}

function findingsOf(request: RequestFile, code: string): readonly Finding[] {
  const knowledge = code.startsWith('service/') ? findServiceKnowledge('gladia') : undefined;
  return checkRules(request, {
    nowMs,
    knowledge,
    linkNeed: () => ({ neededMs: 31 * 60_000, isMeasured: true }),
  }).filter((finding) => finding.code === code);
}

function marked(request: RequestFile, findings: readonly Finding[]): string {
  const ranges = findings.map(({ place }) => placeRange(request, place)).sort((a, b) => b.offset - a.offset);
  return ranges.reduce((text, { offset, length }) => {
    const end = offset + length;
    return `${text.slice(0, offset)}«${text.slice(offset, end)}»${text.slice(end)}`;
  }, request.text);
}
