import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Utterance } from '../../../../../src/jobs/common/result/transcript.ts';
import { groupTurns, formatPosition, labelTurn } from '../../../../../src/jobs/common/result/turns.ts';

const said = (text: string, traits: Partial<Utterance>): Utterance => ({
  text,
  startMs: 0,
  endMs: 1,
  speaker: undefined,
  channel: undefined,
  language: undefined,
  confidence: undefined,
  words: [],
  ...traits,
});
const shown = (utterances: readonly Utterance[]): readonly string[] =>
  groupTurns({ utterances }).map((turn) => `${labelTurn(turn)}: ${turn.utterances.map(({ text }) => text).join('+')}`);

describe('Turns', () => {
  it('end when the speaker or the language changes', () => {
    const turns = [
      said('a', { speaker: 0, language: 'en' }),
      said('b', { speaker: 0, language: 'en' }),
      said('c', { speaker: 1, language: 'en' }),
      said('d', { speaker: 1, language: 'fr' }),
      said('e', { speaker: 0, language: 'en' }),
    ];
    assert.deepEqual(shown(turns), [
      'Speaker 1 (en): a+b',
      'Speaker 2 (en): c',
      'Speaker 2 (fr): d',
      'Speaker 1 (en): e',
    ]);
  });

  it('name channels only if there are several', () => {
    assert.deepEqual(shown([said('a', { channel: 0 }), said('b', { channel: 0 })]), [': a+b']);
    assert.deepEqual(shown([said('a', { channel: 0 }), said('b', { channel: 1, language: 'ja' })]), [
      'Channel 1: a',
      'Channel 2 (ja): b',
    ]);
    assert.deepEqual(shown([said('a', { channel: 0, speaker: 2 }), said('b', { channel: 1, speaker: 2 })]), [
      'Speaker 3, channel 1: a',
      'Speaker 3, channel 2: b',
    ]);
  });

  it('have positions that show hours only after the first hour', () => {
    assert.deepEqual([0, 12_999, 3_599_999, 3_600_000, 36_012_000].map(formatPosition), [
      '00:00',
      '00:12',
      '59:59',
      '1:00:00',
      '10:00:12',
    ]);
  });
});
