import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isTooLargeToShow, buildJobView } from '../../../../../src/features/details/common/buildJobView.ts';
import { jobView } from '../../../../../src/features/details/common/jobView.ts';
import type { Job } from '../../../../../src/jobs/common/job.ts';
import { jobItemShape, requestParamsShape } from '../../../../../src/jobs/common/decodeJob.ts';
import type { JsonObject, JsonValue } from '../../../../../src/base/json/json.ts';
import type { RecordShape } from '../../../../../src/base/decode/readShape.ts';
import { liveItem, preRecordedItem, switches } from '../../../../support/builders/jobItem.ts';
import { spokenItem } from '../../../../support/builders/largeItems.ts';
import { propertyRuns } from '../../../../support/propertyRuns.ts';
import { fixtureJob } from './fixtureJob.ts';
import { jobFrom } from './jobFrom.ts';
import { plainText, sectionText } from './plainText.ts';

const facts = {
  title: 'Blue Harbor',
  nowMs: Date.UTC(2026, 10, 20, 10),
  locale: { language: 'en-GB', timeZone: 'Europe/Paris' },
  errorLabels: { '503': 'Service was busy' },
};

const view = (job: Job) => buildJobView(job, facts);
const lines = (job: Job): string[] => plainText(view(job));
const section = (job: Job, id: string): string[] =>
  view(job)
    .sections.filter((each) => each.id === id)
    .flatMap(sectionText);

test('a finished pre-recorded job', () => {
  const job = fixtureJob('preRecordedDone');
  const { title, status, kind, timeline } = view(job);
  assert.deepEqual(
    { title, status, kind },
    { title: 'Blue Harbor', status: { tone: 'done', text: 'Done' }, kind: 'Pre-recorded' },
  );
  assert.equal(timeline?.duration, '2 mins 27.5 secs');
  assert.equal(timeline?.running, false);
  assert.deepEqual(lines(job).slice(0, 9), [
    'Overview / Status: Done',
    'Overview / Kind: Pre-recorded',
    'Overview / ID: 7f3c9a52-41de-4c0b-9f5e-2b8d6f0a1c34',
    'Overview / Request ID: G-7f3c9a52',
    'Overview / Version: 2',
    'Overview / Created: 19 Nov 2026, 10:12:04 CET',
    'Overview / Completed: 19 Nov 2026, 10:14:31 CET',
    'Overview / Processing time: 2 mins 27.5 secs',
    'Overview / Error code: –',
  ]);
});

test('an echoed request of a pre-recorded job is shown once, by purpose and with its effect', () => {
  const job = fixtureJob('preRecordedDone');
  assert.deepEqual(section(job, 'parameters'), [
    'Parameters / ! Language: en, fr, re-detected per utterance',
    'Parameters / ! Speakers on one channel: separated, hint: 2 to 4',
    'Parameters / ! Subtitles: srt + vtt, 42 characters per line',
    'Parameters / Audio / audio_url: https://media.example.com/harbour-lights-12.mp3',
    'Parameters / Language / language_config.languages: ["en", "fr"]',
    'Parameters / Language / language_config.code_switching: On',
    'Parameters / Speakers / diarization: On',
    'Parameters / Speakers / diarization_config.min_speakers: 2',
    'Parameters / Speakers / diarization_config.max_speakers: 4',
    'Parameters / Subtitles / subtitles: On',
    'Parameters / Subtitles / subtitles_config.formats: ["srt", "vtt"]',
    'Parameters / Subtitles / subtitles_config.maximum_characters_per_row: 42',
    'Parameters / Callback / callback: Off',
  ]);
  assert.deepEqual(section(job, 'messages'), []);
  const other = section(job, 'other').map((line) => line.slice(0, 60));
  assert.deepEqual(other, [
    'Other fields / file: { "id": "0f0a6c1e-8f1d-4a7e-a5a2-7a5d0c',
    'Other fields / result: { "metadata": { "audio_duration": 183',
  ]);
});

test('an echoed request shows the replacements of old names, and uses old names in its effect', () => {
  const params = { audio_url: 'https://a.example/a.mp3', language: 'fr', moderation: true, flavour: 1 };
  assert.deepEqual(section(jobFrom(preRecordedItem({ request_params: params })), 'parameters'), [
    'Parameters / ! Language: fr',
    'Parameters / ! Old names, if the service still accepts them: language',
    'Parameters / Audio / audio_url: https://a.example/a.mp3',
    'Parameters / More output / language: fr (Old name, now language_config.languages)',
    'Parameters / More output / moderation: On (Old name)',
    'Parameters / More output / flavour: 1',
  ]);
});

test('a job offers its audio if its item has an audio address', () => {
  assert.equal(view(fixtureJob('preRecordedDone')).hasAudio, true);
  assert.equal(view(fixtureJob('preRecordedFailed')).hasAudio, false);
});

test('a page of a job that failed, also in part, offers to hide and to resubmit it', () => {
  const offers = (job: Job): readonly boolean[] => {
    const { hasFailed, canResubmit } = view(job);
    return [hasFailed, canResubmit];
  };
  const result = { translation: { success: false, error: { message: 'Too long' }, results: null } };
  assert.deepEqual(offers(fixtureJob('preRecordedFailed')), [true, true]);
  assert.deepEqual(offers(jobFrom({ id: 'x', kind: 'pre-recorded', status: 'done', result })), [true, true]);
  assert.deepEqual(offers(jobFrom({ id: 'x', kind: 'live', status: 'error' })), [true, false]);
  assert.deepEqual(offers(fixtureJob('preRecordedDone')), [false, false]);
  assert.deepEqual(offers(fixtureJob('preRecordedProcessing')), [false, false]);
});

test('a page offers the same actions as the row of its job', () => {
  const offers = (job: Job): readonly boolean[] => {
    const { canWatch, canRepeat, canRetry } = view(job);
    return [canWatch, canRepeat, canRetry];
  };
  assert.deepEqual(offers(fixtureJob('preRecordedProcessing')), [true, false, false]);
  assert.deepEqual(offers(fixtureJob('preRecordedDone')), [false, true, false]);
  assert.deepEqual(offers(fixtureJob('preRecordedFailed')), [false, false, false], 'nothing to retry it from');
  assert.deepEqual(offers(fixtureJob('liveDone')), [false, true, false]);
  assert.deepEqual(offers(jobFrom({ id: 'x', kind: 'dream', status: 'queued' })), [false, false, false]);
  assert.equal(buildJobView(fixtureJob('preRecordedDone'), { ...facts, isSubmitted: true }).isSubmitted, true);
  assert.equal(buildJobView(fixtureJob('preRecordedDone'), { ...facts, hasFiles: true }).hasFiles, true);
  assert.equal(buildJobView(fixtureJob('preRecordedFailed'), { ...facts, isSubmitted: true }).canRetry, true);
  const echoing = jobFrom({ id: 'x', kind: 'pre-recorded', status: 'error', request_params: {} });
  assert.equal(view(echoing).canRetry, true);
});

test('a page offers a link if it can lead back to the job', () => {
  const job = fixtureJob('preRecordedDone');
  assert.equal(view(job).canLink, true);
  assert.equal(buildJobView(job, { ...facts, isSample: true }).canLink, false, 'sample jobs end with their window');
  assert.equal(
    view(jobFrom({ id: 'x', kind: 'live', status: 'done' })).canLink,
    false,
    'not known when it was created',
  );
});

test('metadata keeps every digit as received', () => {
  const [metadata] = section(fixtureJob('preRecordedDone'), 'custom_metadata');
  assert.match(metadata ?? '', /"order": 90071992547409931,/);
});

test('a failed job shows its code with the label of the user, which can be edited', () => {
  const overview = view(fixtureJob('preRecordedFailed')).sections[0];
  const row = overview?.rows[1];
  assert.equal(row?.id, 'error_code', 'right after the status');
  assert.deepEqual(row?.value, { type: 'text', text: '503: Service was busy', verbatim: false });
  assert.equal(view(fixtureJob('preRecordedFailed')).reason, '503: Service was busy', 'under the title');
  assert.equal(view(fixtureJob('preRecordedDone')).reason, undefined);
  assert.deepEqual(row?.action, { type: 'editErrorLabel', code: 503 });
});

test('a code without a label is shown alone', () => {
  const overview = buildJobView(fixtureJob('preRecordedFailed'), { ...facts, errorLabels: {} }).sections[0];
  const row = overview?.rows.find(({ id }) => id === 'error_code');
  assert.deepEqual(row?.value, { type: 'text', text: '503', verbatim: false });
});

test('a complete live job, by group, with units', () => {
  const job = jobFrom(
    liveItem(
      {},
      { messages_config: switches(true), callback_config: { url: 'https://x.example/', ...switches(false) } },
    ),
  );
  assert.deepEqual(section(job, 'parameters'), [
    'Parameters / Audio / Encoding: wav/pcm',
    'Parameters / Audio / Bit depth: 16 bit',
    'Parameters / Audio / Sample rate: 16,000 Hz',
    'Parameters / Audio / Channels: 1',
    'Parameters / Recognition / Model: solaria-1',
    'Parameters / Recognition / Endpointing: 0.05 s',
    'Parameters / Recognition / Max. time without endpoint: 5 s',
    'Parameters / Language / Languages: English (en), French (fr)',
    'Parameters / Language / Code switching: On',
    'Parameters / Pre-processing / Audio enhancer: Off',
    'Parameters / Pre-processing / Speech threshold: 0.6',
    'Parameters / Real time / Custom vocabulary: Off',
    'Parameters / Real time / Custom spelling: Off',
    'Parameters / Real time / Translation: Off',
    'Parameters / Real time / Named entity recognition: On',
    'Parameters / Real time / Sentiment analysis: Off',
    'Parameters / Post-processing / Summarization: On',
    'Parameters / Post-processing / Summary type: bullet_points',
    'Parameters / Post-processing / Chapterization: Off',
  ]);
  assert.deepEqual(section(job, 'messages'), [
    'Messages and callback / Callback: On',
    'Messages and callback / Callback URL: https://x.example/',
    ...[
      'Partial transcripts',
      'Final transcripts',
      'Speech events',
      'Pre-processing events',
      'Real-time processing events',
      'Post-processing events',
      'Acknowledgments',
      'Errors',
      'Lifecycle events',
    ].map((category) => `Messages and callback / ${category}: On | Off`),
  ]);
  assert.deepEqual(section(job, 'other'), []);
});

test('every field of the contract has a row', () => {
  const marked = { ...mark(jobItemShape, ''), request_params: mark(requestParamsShape, 'request_params.') };
  const text = lines({ ...jobFrom(marked), kind: 'live' }).join('\n');
  const marks = JSON.stringify(marked).match(/<[\w.]+>/g) ?? [];
  assert.ok(marks.length > 0);
  assert.deepEqual(
    marks.filter((each) => !text.includes(each)),
    [],
  );
  assert.ok(!text.includes('Other fields'));
});

/** Creates an object with every field of the shape, each a text with its path. */
function mark(shape: RecordShape, path: string): JsonObject {
  const marked = Object.entries(shape).map(([key, field]): [string, JsonValue] => [
    key,
    typeof field === 'object' ? mark(field, `${path}${key}.`) : `<${path}${key}>`,
  ]);
  return Object.fromEntries(marked);
}

test('an item with only an ID shows dashes, no empty section and no word such as undefined', () => {
  assert.deepEqual(lines(fixtureJob('nearlyEmpty')), [
    'Overview / Status: –',
    'Overview / Kind: –',
    'Overview / ID: e0000000-0000-4000-8000-00000000000e',
    'Overview / Request ID: –',
    'Overview / Version: –',
    'Overview / Created: –',
    'Overview / Completed: –',
    'Overview / Processing time: –',
    'Overview / Error code: –',
  ]);
  assert.deepEqual(section(jobFrom({ id: 'x', custom_metadata: {} }, 'live'), 'custom_metadata'), []);
  assert.deepEqual(view(fixtureJob('nearlyEmpty')).status, { tone: 'unknown', text: 'Unknown status' });
  assert.equal(view(fixtureJob('nearlyEmpty')).timeline, undefined);
});

test('a live job whose fields are all null looks like one whose fields are all missing', () => {
  const nulls = {
    id: 'x',
    ...Object.fromEntries(
      Object.keys(liveItem())
        .filter((key) => key !== 'id')
        .map((key) => [key, null]),
    ),
  };
  assert.deepEqual(lines(jobFrom(nulls, 'live')), lines(jobFrom({ id: 'x' }, 'live')));
  const inside = (value: unknown) => ({ id: 'x', request_params: value }) as JsonObject;
  const nullParams = Object.fromEntries(
    Object.keys(liveItem()['request_params'] as JsonObject).map((key) => [key, null]),
  );
  assert.deepEqual(lines(jobFrom(inside(nullParams), 'live')), lines(jobFrom(inside({}), 'live')));
});

test('values of the wrong type are shown as received, with a remark', () => {
  const item = {
    id: 7,
    request_id: ['a'],
    version: '2',
    status: 5,
    created_at: 'yesterday',
    completed_at: 12,
    kind: {},
    custom_metadata: 'none',
    post_session_metadata: [1, 2],
    error_code: '500',
    request_params: {
      sample_rate: '16 kHz',
      language_config: 'en',
      messages_config: { receive_errors: 1 },
      callback_config: [],
    },
  };
  const text = lines(jobFrom(item, 'live'));
  for (const line of [
    'Overview / Status: 5',
    'Overview / Kind: {}',
    'Overview / ID: 7',
    'Overview / Request ID: ["a"]',
    'Overview / Version: "2"',
    'Overview / Created: "yesterday"',
    'Overview / Completed: 12',
    'Overview / Error code: "500"',
    'Custom metadata / custom_metadata: "none"',
    'Post-session metadata / post_session_metadata: [1,2]',
    'Parameters / Audio / Sample rate: "16 kHz"',
    'Other fields / request_params.language_config: "en"',
    'Other fields / request_params.callback_config: []',
  ]) {
    assert.ok(text.includes(`${line} (Unexpected type)`), line);
  }
  assert.ok(text.includes('Messages and callback / Errors: 1 | –'));
});

test('an item with unknown fields and values is shown completely', () => {
  const item = {
    id: 'x',
    kind: 'batch',
    status: 'archived',
    colour: 'red',
    request_params: { seed: 7, language_config: { accent: 'any' } },
  };
  const text = lines(jobFrom(item));
  assert.deepEqual(view(jobFrom(item)).status, { tone: 'unknown', text: 'archived' });
  assert.ok(text.includes('Overview / Kind: batch'));
  assert.deepEqual(section(jobFrom(item), 'other'), [
    'Other fields / colour: "red"',
    'Other fields / request_params.seed: 7',
    'Other fields / request_params.language_config.accent: "any"',
  ]);
  assert.deepEqual(section(jobFrom(item), 'parameters'), []);
});

test('the last of repeated keys is shown', () => {
  const raw = '{"id":"x","colour":"red","colour":"blue"}';
  assert.deepEqual(section(jobFrom(JSON.parse(raw), undefined, raw), 'other'), ['Other fields / colour: "blue"']);
});

test('the label of the duration depends on the kind of job', () => {
  const labels = (job: Job): readonly string[] => section(job, 'overview').map((line) => line.replace(/:.*/, ''));
  assert(labels(jobFrom(preRecordedItem())).includes('Overview / Processing time'));
  assert(labels(jobFrom(liveItem())).includes('Overview / Session length'));
});

test('contradictory times have a note instead of a duration', () => {
  const job = jobFrom(preRecordedItem({ completed_at: '2026-11-19T09:00:00.000Z' }));
  const text = section(job, 'overview');
  assert.ok(text.includes('Overview / Processing time: –'));
  assert.equal(text[0], 'Overview / ! The completion time is before the creation time.');
  assert.equal(view(job).timeline?.completed, undefined);
});

test('a running job has a growing timeline', () => {
  const { timeline } = view(fixtureJob('preRecordedProcessing'));
  assert.equal(timeline?.running, true);
  assert.equal(timeline?.duration, undefined);
});

test('dates and numbers are formatted in the language and time zone of the user', () => {
  const french = buildJobView(fixtureJob('liveDone'), { ...facts, locale: { language: 'fr', timeZone: 'UTC' } });
  const text = plainText(french).join('\n');
  assert.match(text, /20 nov\. 2026, 08:00:00 UTC/);
  assert.match(text, /48\u202f000 Hz/);
  assert.match(text, /0,05 s/);
  assert.match(text, /anglais \(en\)/);
});

test('property: the view of any item survives the transfer to the page', () => {
  const nearly = fc.record(
    Object.fromEntries(
      Object.entries(liveItem()).map(([field, value]) => [field, fc.oneof(fc.jsonValue(), fc.constant(value))]),
    ),
    { requiredKeys: [] },
  );
  fc.assert(
    fc.property(
      fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), nearly),
      fc.constantFrom('live', 'pre-recorded', undefined),
      (item, kind) => {
        const built = view(jobFrom({ ...item, id: 'x' }, kind));
        assert.deepEqual(jobView(JSON.parse(JSON.stringify(built))), built);
      },
    ),
    { numRuns: propertyRuns },
  );
});

test('a result is too large to show because of its length or the number of its parts', () => {
  assert.equal(isTooLargeToShow({ raw: spokenItem('a', 3600) }), false);
  for (const raw of ['a'.repeat(6_000_001), '{}'.repeat(100_001), '"text"'.repeat(40_001)])
    assert.equal(isTooLargeToShow({ raw }), true);
});

test('a job with unusually many members or values is too large to show, wherever they are', () => {
  const members = Object.fromEntries(Array.from({ length: 160_000 }, (_, index) => [`k${index}`, 'v']));
  const values = Array.from({ length: 250_000 }, (_, index) => `l${index}`);
  for (const item of [
    members,
    { request_params: members },
    { custom_metadata: members },
    { result: members },
    { request_params: { language_config: { languages: values } } },
    { result: { transcription: { full_transcript: 'x', languages: values } } },
  ])
    assert(isTooLargeToShow({ raw: JSON.stringify({ id: 'a', ...item }) }), Object.keys(item)[0]);
  const usual = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`k${index}`, 'v']));
  assert.equal(isTooLargeToShow({ raw: JSON.stringify({ id: 'a', custom_metadata: usual }) }), false);
});
