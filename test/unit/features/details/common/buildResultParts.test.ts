import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { JsonObject } from '../../../../../src/base/json/json.ts';
import { buildJobView } from '../../../../../src/features/details/common/buildJobView.ts';
import { jobView, type JobView } from '../../../../../src/features/details/common/jobView.ts';
import { fixtureItem } from '../../../../support/details/fixtureItems.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { jobFrom } from './jobFrom.ts';
import { sectionText } from './plainText.ts';
import { anyResult } from '../../../jobs/common/result/anyResult.ts';

const facts = { title: 'T', nowMs: 0, locale: { language: 'en', timeZone: 'UTC' }, errorLabels: {} };
const view = (result: JsonObject): JobView =>
  buildJobView(jobFrom({ ...fixtureItem('preRecordedDone'), result }), facts);
const ofResult = ({ sections }: JobView): readonly string[] =>
  sections.flatMap(sectionText).filter((line) => /^Summary and|^Details . Result/.test(line));

describe('The result on the page of a job', () => {
  it('shows measured values, results, and fields that cannot be read', () => {
    const subtitles = [
      { format: 'srt', subtitles: '1' },
      { format: 'vtt', subtitles: 'WEBVTT' },
    ];
    const shown = view({
      metadata: { audio_duration: 90.2100199, billing_time: 180, number_of_distinct_channels: 2 },
      transcription: { languages: ['fr'], utterances: [{ text: 'Bon' }], subtitles },
      summarization: { success: true, results: 'Short.' },
      chapterization: { success: true, results: [{ headline: 'Start', summary: 'Hello.', start: 61 }] },
    });
    assert.deepEqual(ofResult(shown), [
      'Summary and add-ons / Summary / Text: Short.',
      'Summary and add-ons / Chapters / 01:01 · Start: Hello.',
      'Summary and add-ons / Outcomes / Subtitles: srt, vtt',
      'Summary and add-ons / Outcomes / Summary: Succeeded',
      'Summary and add-ons / Outcomes / Chapters: Succeeded',
      'Details / Result / Shown as the service sent it; not part of the common interface.',
      'Details / Result / ! Missing or unreadable: result.transcription.utterances[].start, result.transcription.utterances[].end',
      'Details / Result / Audio length: 1 min 30.2 sec',
      'Details / Result / Billed time: 3 min',
      'Details / Result / Channels: 2',
      'Details / Result / Languages found: French (fr)',
    ]);
    assert.deepEqual(shown.warnings, []);
    assert.equal(shown.transcript?.lines.length, 1);
  });

  it('shows failures at the top', () => {
    const failed = { success: false, error: { message: 'No model' } };
    const shown = view({ summarization: failed, moderation: { success: false } });
    assert.deepEqual(shown.warnings.map(({ text }) => text).slice(0, 2), [
      'Summary failed: No model',
      'moderation failed.',
    ]);
    assert(ofResult(shown).includes('Summary and add-ons / Summary: Failed: No model'));
  });

  it('is absent if the item has none', () => {
    const shown = buildJobView(jobFrom(fixtureItem('preRecordedFailed')), facts);
    assert.deepEqual([ofResult(shown), shown.transcript], [[], undefined]);
  });

  it('survives the transfer to the page in any shape', () => {
    fc.assert(
      fc.property(anyResult, (result) => {
        const shown = view(result);
        // Compared as JSON, because undefined members may be left out.
        assert.deepEqual(
          JSON.parse(JSON.stringify(jobView(JSON.parse(JSON.stringify(shown))))),
          JSON.parse(JSON.stringify(shown)),
        );
      }),
      { numRuns: propertyRuns },
    );
  });
});
