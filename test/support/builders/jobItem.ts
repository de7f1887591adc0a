import type { messageSwitches } from '../../../src/jobs/common/decodeJob.ts';
import type { JsonObject } from '../../../src/base/json/json.ts';

/** A pre-recorded item with every field of contract 2.2, as sent by the service. */
export function preRecordedItem(changes: JsonObject = {}): JsonObject {
  return {
    id: '1a2b3c4d-0000-4000-8000-000000000001',
    request_id: 'G-1a2b3c4d',
    version: 2,
    status: 'done',
    created_at: '2026-11-19T10:00:00.000Z',
    completed_at: '2026-11-19T10:02:03.500Z',
    kind: 'pre-recorded',
    custom_metadata: { customer: 'Blue Harbor', episode: 12 },
    post_session_metadata: {},
    error_code: null,
    ...changes,
  };
}

/** The nine switches of contract 6, all with the same value. */
export function switches(value: boolean): Record<keyof typeof messageSwitches, boolean> {
  return {
    receive_partial_transcripts: value,
    receive_final_transcripts: value,
    receive_speech_events: value,
    receive_pre_processing_events: value,
    receive_realtime_processing_events: value,
    receive_post_processing_events: value,
    receive_acknowledgments: value,
    receive_errors: value,
    receive_lifecycle_events: value,
  };
}

/** A live item with every field of contract 2.2 and 2.3. */
export function liveItem(changes: JsonObject = {}, paramChanges: JsonObject = {}): JsonObject {
  return preRecordedItem({
    kind: 'live',
    request_params: {
      encoding: 'wav/pcm',
      bit_depth: 16,
      sample_rate: 16000,
      channels: 1,
      model: 'solaria-1',
      endpointing: 0.05,
      maximum_duration_without_endpointing: 5,
      language_config: { languages: ['en', 'fr'], code_switching: true },
      pre_processing: { audio_enhancer: false, speech_threshold: 0.6 },
      realtime_processing: {
        custom_vocabulary: false,
        custom_spelling: false,
        translation: false,
        named_entity_recognition: true,
        sentiment_analysis: false,
      },
      post_processing: {
        summarization: true,
        summarization_config: { type: 'bullet_points' },
        chapterization: false,
      },
      messages_config: switches(true),
      callback: true,
      callback_config: { url: 'https://hooks.example.com/live', ...switches(false) },
      ...paramChanges,
    },
    ...changes,
  });
}
