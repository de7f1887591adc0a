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
  const { title, status, kind, timeline, facts: known } = view(job);
  assert.deepEqual(
    { title, status, kind },
    { title: 'Blue Harbor', status: { tone: 'done', text: 'Done' }, kind: 'Pre-recorded' },
  );
  assert.deepEqual(known, [
    'Audio length: 30 mins 34.3 secs',
    'English (en), French (fr)',
    '2 speakers',
    'Billed time: 30 mins 34.3 secs',
    'Processing time: 2 mins 27.5 secs',
  ]);
  assert.equal(timeline?.running, false);
  assert.deepEqual(
    lines(job)
      .filter((line) => /^Details . [^/]*$/.test(line))
      .slice(0, 11),
    [
      'Details / Status: Done',
      'Details / Kind: Pre-recorded',
      'Details / ID: 7f3c9a52-41de-4c0b-9f5e-2b8d6f0a1c34',
      'Details / Request ID: G-7f3c9a52',
      'Details / Version: 2',
      'Details / Created: 19 Nov 2026, 10:12:04 CET',
      'Details / Completed: 19 Nov 2026, 10:14:31 CET',
      'Details / Processing time: 2 mins 27.5 secs',
      'Details / Error code: –',
      'Details / File name: harbour-lights-12.mp3',
      'Details / Post-session metadata: {}',
    ],
  );
});

test('an echoed request of a pre-recorded job is shown once, by purpose and with its effect', () => {
  const job = fixtureJob('preRecordedDone');
  assert.deepEqual(section(job, 'request'), [
    'Request / Language: en, fr, re-detected per utterance',
    'Request / Speakers on one channel: separated, hint: 2 to 4',
    'Request / Subtitles: srt + vtt, 42 characters per line',
    'Request / Audio / audio_url: https://media.example.com/harbour-lights-12.mp3',
    'Request / Language / language_config.languages: ["en", "fr"]',
    'Request / Language / language_config.code_switching: On',
    'Request / Speakers / diarization: On',
    'Request / Speakers / diarization_config.min_speakers: 2',
    'Request / Speakers / diarization_config.max_speakers: 4',
    'Request / Subtitles / subtitles: On',
    'Request / Subtitles / subtitles_config.formats: ["srt", "vtt"]',
    'Request / Subtitles / subtitles_config.maximum_characters_per_row: 42',
    'Request / Callback / callback: Off',
  ]);
  const other = section(job, 'raw').map((line) => line.slice(0, 66));
  assert.deepEqual(other, [
    'Raw / Other fields / file: { "id": "0f0a6c1e-8f1d-4a7e-a5a2-7a5d0c',
    'Raw / Other fields / result: { "metadata": { "audio_duration": 183',
  ]);
});

test('an echoed request shows the replacements of old names, and uses old names in its effect', () => {
  const params = { audio_url: 'https://a.example/a.mp3', language: 'fr', moderation: true, flavour: 1 };
  assert.deepEqual(section(jobFrom(preRecordedItem({ request_params: params })), 'request'), [
    'Request / Language: fr',
    'Request / Old names, if the service still accepts them: language',
    'Request / Audio / audio_url: https://a.example/a.mp3',
    'Request / More output / language: fr (Old name, now language_config.languages)',
    'Request / More output / moderation: On (Old name)',
    'Request / More output / flavour: 1',
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
  const known = { request_params: {} };
  assert.deepEqual(offers(jobFrom({ id: 'x', kind: 'pre-recorded', status: 'error', ...known })), [true, true]);
  assert.deepEqual(offers(jobFrom({ id: 'x', kind: 'pre-recorded', status: 'done', result, ...known })), [true, true]);
  assert.deepEqual(offers(fixtureJob('preRecordedFailed')), [true, false], 'its request is unknown');
  assert.equal(buildJobView(fixtureJob('preRecordedFailed'), { ...facts, isSubmitted: true }).canResubmit, true);
  const again = buildJobView(fixtureJob('preRecordedFailed'), {
    ...facts,
    isSubmitted: true,
    resubmission: 'Resubmitted as job a-newer-.',
  });
  assert.deepEqual([again.canResubmit, again.canRetry, again.isResubmitted], [false, false, true], 'was resubmitted');
  assert.deepEqual(again.warnings.at(-1), { id: 'next', text: 'Resubmitted as job a-newer-.' });
  const handled = buildJobView(fixtureJob('preRecordedFailed'), {
    ...facts,
    resubmission: 'Resubmitted as job a-newer-.',
    isHandled: true,
  });
  assert.equal(handled.warnings.at(-1)?.text, 'Resubmitted as job a-newer-. This failure counts as handled.');
  assert.deepEqual([handled.hasFailed, handled.canMarkHandled, again.canMarkHandled], [true, false, true]);
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
  const details = section(fixtureJob('preRecordedDone'), 'details');
  assert.match(details.join('\n'), /"order": 90071992547409931,/);
});

test('a failed job shows its code with the label of the user, which can be edited', () => {
  const overview = view(fixtureJob('preRecordedFailed')).sections[0]?.parts[0];
  const row = overview?.rows[1];
  assert.equal(row?.id, 'error_code', 'right after the status');
  assert.deepEqual(row?.value, { type: 'text', text: '503: Service was busy', verbatim: false });
  assert.equal(view(fixtureJob('preRecordedFailed')).reason, '503: Service was busy', 'under the title');
  assert.equal(view(fixtureJob('preRecordedDone')).reason, undefined);
  assert.deepEqual(row?.action, { type: 'editErrorLabel', code: 503 });
});

test('a code without a label is shown alone', () => {
  const overview = buildJobView(fixtureJob('preRecordedFailed'), { ...facts, errorLabels: {} }).sections[0]?.parts[0];
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
  assert.deepEqual(section(job, 'request'), [
    'Session / Parameters / Audio / Encoding: wav/pcm',
    'Session / Parameters / Audio / Bit depth: 16 bit',
    'Session / Parameters / Audio / Sample rate: 16,000 Hz',
    'Session / Parameters / Audio / Channels: 1',
    'Session / Parameters / Recognition / Model: solaria-1',
    'Session / Parameters / Recognition / Endpointing: 0.05 s',
    'Session / Parameters / Recognition / Max. time without endpoint: 5 s',
    'Session / Parameters / Language / Languages: English (en), French (fr)',
    'Session / Parameters / Language / Code switching: On',
    'Session / Parameters / Pre-processing / Audio enhancer: Off',
    'Session / Parameters / Pre-processing / Speech threshold: 0.6',
    'Session / Parameters / Real time / Custom vocabulary: Off',
    'Session / Parameters / Real time / Custom spelling: Off',
    'Session / Parameters / Real time / Translation: Off',
    'Session / Parameters / Real time / Named entity recognition: On',
    'Session / Parameters / Real time / Sentiment analysis: Off',
    'Session / Parameters / Post-processing / Summarization: On',
    'Session / Parameters / Post-processing / Summary type: bullet_points',
    'Session / Parameters / Post-processing / Chapterization: Off',
    'Session / Messages and callback / Callback: On',
    'Session / Messages and callback / Callback URL: https://x.example/',
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
    ].map((category) => `Session / Messages and callback / ${category}: On | Off`),
  ]);
  assert.deepEqual(section(job, 'raw'), []);
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
  assert.ok(!text.includes('Raw'));
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
    'Details / Status: –',
    'Details / Kind: –',
    'Details / ID: e0000000-0000-4000-8000-00000000000e',
    'Details / Request ID: –',
    'Details / Version: –',
    'Details / Created: –',
    'Details / Completed: –',
    'Details / Processing time: –',
    'Details / Error code: –',
    'Details / Custom metadata: –',
    'Details / Post-session metadata: –',
    'Details / Parameters: –',
  ]);
  assert.deepEqual(view(fixtureJob('nearlyEmpty')).status, { tone: 'unknown', text: 'Unknown status' });
  assert.equal(view(fixtureJob('nearlyEmpty')).timeline, undefined);
});

test('an empty object and nothing are distinguished', () => {
  const empty = { id: 'x', custom_metadata: {}, post_session_metadata: {}, request_params: {} };
  const objects = (job: Job): string[] => section(job, 'details').slice(-3);
  assert.deepEqual(objects(jobFrom(empty, 'live')), [
    'Details / Custom metadata: {}',
    'Details / Post-session metadata: {}',
    'Details / Parameters: {}',
  ]);
  assert.deepEqual(objects(jobFrom({ id: 'x' }, 'live')), [
    'Details / Custom metadata: –',
    'Details / Post-session metadata: –',
    'Details / Parameters: –',
  ]);
  assert.deepEqual(section(jobFrom({ id: 'x' }, 'live'), 'request'), []);
  assert.equal(section(jobFrom(empty, 'live'), 'request').length, 30, 'every parameter, with a dash');
});

test('the first section that exists is open until the user chooses, and the session of a live job', () => {
  const folds = (job: Job): readonly unknown[] => {
    const { ids, first } = view(job).folds;
    return [ids.join(' '), first];
  };
  assert.deepEqual(folds(fixtureJob('preRecordedDone')), ['transcript request details raw', 'transcript']);
  assert.deepEqual(folds(fixtureJob('preRecordedFailed')), ['details raw', 'details']);
  assert.deepEqual(folds(fixtureJob('liveDone')), ['request details raw', 'request']);
  const result = { transcription: { full_transcript: 'Hello' }, summarization: { success: true, results: 'Short.' } };
  assert.deepEqual(folds(jobFrom(liveItem({ result }))), ['transcript addOns request details raw', 'request']);
  const chosen = buildJobView(fixtureJob('liveDone'), {
    ...facts,
    chosenSections: { opened: ['raw'], closed: [] },
  }).folds;
  assert.deepEqual([chosen.group, chosen.chosen], ['live', { opened: ['raw'], closed: [] }]);
});

test('a failed job says what it has in common with others, and what to do', () => {
  const advice = (job: Job, more: object = {}): readonly string[] =>
    buildJobView(job, { ...facts, ...more }).warnings.map(({ text }) => text);
  const failed = fixtureJob('preRecordedFailed');
  assert.deepEqual(advice(failed, { failure: 'Error 503: 3 of 4 new failures', isSubmitted: true }), [
    'Error 503: 3 of 4 new failures',
    'Resubmit… sends the same request again; Retry with Other Settings opens it first.',
  ]);
  const isUnknown =
    "This job can't be resubmitted. Its request isn't known here, and the service doesn't return it. Mark as Handled removes it from Needs attention. Copy Report for Support is in the menu of its row.";
  assert.deepEqual(advice(failed), [isUnknown]);
  assert.deepEqual(advice(failed, { errorLabels: { '503': 'Speakers missing' } }), [
    'Going by your label: Remove the speaker hints.',
    isUnknown,
  ]);
  assert.deepEqual(advice(failed, { errorStatus: 503 }), [
    'The service may have been too busy then: the same request may work later.',
    isUnknown,
  ]);
  assert.deepEqual(
    advice(failed, { errorStatus: 400 }),
    ['The service may not accept one of the settings of the request.', isUnknown],
    'no advice to read a request that is not known',
  );
  const live = jobFrom({ id: 'x', kind: 'live', status: 'error' });
  assert.match(advice(live).join(), /^A live session can't be sent again\. Mark as Handled removes it/);
  assert.deepEqual(advice(live, { isHandled: true }), [
    "A live session can't be sent again. This failure counts as handled.",
  ]);
  assert.deepEqual(advice(fixtureJob('preRecordedDone'), { failure: 'not for a done job' }), []);
});

test('captions are mentioned beside partial transcripts only, if both sets switch them off', () => {
  const off = { ...switches(true), receive_partial_transcripts: false };
  const session = (callback_config: JsonObject): string[] =>
    section(jobFrom(liveItem({}, { messages_config: off, callback_config })), 'request');
  const hint =
    "Session / Messages and callback / Partial transcripts: Off | Off (Off for both, so captions can't follow speech in real time.)";
  assert.deepEqual(
    session(off).filter((line) => line.includes('captions')),
    [hint],
  );
  assert.deepEqual(
    session(switches(true)).filter((line) => line.includes('captions')),
    [],
  );
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
  assert.deepEqual(
    section(jobFrom(inside(nullParams), 'live'), 'request'),
    section(jobFrom(inside({}), 'live'), 'request'),
  );
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
    'Details / Status: 5',
    'Details / Kind: {}',
    'Details / ID: 7',
    'Details / Request ID: ["a"]',
    'Details / Version: "2"',
    'Details / Created: "yesterday"',
    'Details / Completed: 12',
    'Details / Error code: "500"',
    'Details / Custom metadata / custom_metadata: "none"',
    'Details / Post-session metadata / post_session_metadata: [1,2]',
    'Session / Parameters / Audio / Sample rate: "16 kHz"',
    'Raw / Other fields / request_params.language_config: "en"',
    'Raw / Other fields / request_params.callback_config: []',
  ]) {
    assert.ok(text.includes(`${line} (Unexpected type)`), line);
  }
  assert.ok(text.includes('Session / Messages and callback / Errors: 1 | –'));
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
  assert.ok(text.includes('Details / Kind: batch'));
  assert.deepEqual(section(jobFrom(item), 'raw'), [
    'Raw / Other fields / colour: "red"',
    'Raw / Other fields / request_params.seed: 7',
    'Raw / Other fields / request_params.language_config.accent: "any"',
  ]);
  assert.deepEqual(section(jobFrom(item), 'request'), []);
});

test('the last of repeated keys is shown', () => {
  const raw = '{"id":"x","colour":"red","colour":"blue"}';
  assert.deepEqual(section(jobFrom(JSON.parse(raw), undefined, raw), 'raw'), ['Raw / Other fields / colour: "blue"']);
});

test('the label of the duration depends on the kind of job', () => {
  const labels = (job: Job): readonly string[] => section(job, 'details').map((line) => line.replace(/:.*/, ''));
  assert(labels(jobFrom(preRecordedItem())).includes('Details / Processing time'));
  assert(labels(jobFrom(liveItem())).includes('Details / Session length'));
});

test('contradictory times have a note instead of a duration', () => {
  const job = jobFrom(preRecordedItem({ completed_at: '2026-11-19T09:00:00.000Z' }));
  const text = section(job, 'details');
  assert.ok(text.includes('Details / Processing time: –'));
  assert.equal(text[0], 'Details / ! The completion time is before the creation time.');
  assert.deepEqual(view(job).facts, []);
});

test('a running job has a growing timeline', () => {
  const { timeline } = view(fixtureJob('preRecordedProcessing'));
  assert.equal(timeline?.running, true);
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
  for (const raw of [
    'a'.repeat(6_000_001),
    '{}'.repeat(100_001),
    '"text"'.repeat(40_001),
    String.raw`\n`.repeat(200_001),
  ])
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
