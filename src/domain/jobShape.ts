import type { Read } from './shape.ts';

/** The nine switches of contract 6, in its order. */
export const messageSwitches = {
  receive_partial_transcripts: 'boolean',
  receive_final_transcripts: 'boolean',
  receive_speech_events: 'boolean',
  receive_pre_processing_events: 'boolean',
  receive_realtime_processing_events: 'boolean',
  receive_post_processing_events: 'boolean',
  receive_acknowledgments: 'boolean',
  receive_errors: 'boolean',
  receive_lifecycle_events: 'boolean',
} as const;
export type MessageSwitch = keyof typeof messageSwitches;

/** The parameters a live session was opened with (contract 2.3). */
export const requestParamsShape = {
  encoding: 'string',
  bit_depth: 'integer',
  sample_rate: 'integer',
  channels: 'integer',
  model: 'string',
  endpointing: 'number',
  maximum_duration_without_endpointing: 'number',
  language_config: { languages: 'strings', code_switching: 'boolean' },
  pre_processing: { audio_enhancer: 'boolean', speech_threshold: 'number' },
  realtime_processing: {
    custom_vocabulary: 'boolean',
    custom_spelling: 'boolean',
    translation: 'boolean',
    named_entity_recognition: 'boolean',
    sentiment_analysis: 'boolean',
  },
  post_processing: {
    summarization: 'boolean',
    summarization_config: { type: 'string' },
    chapterization: 'boolean',
  },
  messages_config: messageSwitches,
  callback: 'boolean',
  callback_config: { url: 'string', ...messageSwitches },
} as const;

/** The fields of a job item (contract 2.2) but for `request_params`, which only some items have. */
export const jobItemShape = {
  id: 'string',
  request_id: 'string',
  version: 'integer',
  status: 'string',
  created_at: 'string',
  completed_at: 'string',
  kind: 'string',
  custom_metadata: 'object',
  post_session_metadata: 'object',
  error_code: 'integer',
} as const;
export type JobItemFields = Read<typeof jobItemShape>;

/** The same with `request_params`: all that the contract says of an item. */
export const wholeItemShape = { ...jobItemShape, request_params: requestParamsShape } as const;
