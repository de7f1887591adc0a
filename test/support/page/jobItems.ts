import type { JsonObject } from '../../../src/base/json/json.ts';
import { fixtureItem } from '../details/fixtureItems.ts';

/** A live session whose parameters are those of the fixture. */
export const secondSession = {
  ...fixtureItem('liveDone'),
  id: 'second-session',
  custom_metadata: { title: 'Room B2' },
};

/** A live session whose parameters differ from those of the fixture. */
export const otherSession = { ...secondSession, request_params: { encoding: 'wav/pcm', channels: 1, seed: [7] } };

/** A pre-recorded job with a translation and a failed summary. */
export const translatedJob: JsonObject & { readonly id: string } = {
  ...fixtureItem('preRecordedDone'),
  id: 'studio',
  custom_metadata: { title: 'A visit to the studio' },
  result: {
    transcription: { languages: ['fr'], utterances: [said('Une grande fenêtre.', 0), said('Le canal.', 5)] },
    translation: {
      success: true,
      results: [{ languages: ['en'], utterances: [said('A big window.', 0), said('The canal.', 5)] }],
    },
    summarization: { success: false, error: { message: 'Too long' }, results: null },
  },
};

/** A failed pre-recorded job with its request, as some services send it; one of the names is a legacy name. */
export const echoingJob = {
  ...fixtureItem('preRecordedFailed'),
  custom_metadata: { title: 'Echoing call' },
  request_params: {
    audio_url: 'https://media.example.com/call.xyz',
    language: 'fr',
    diarization: true,
    diarization_config: { max_speakers: 3, number_of_speakers: null },
    moderation: true,
  },
};

/** Returns a job with this many turns of two speakers, one line each. */
export function spokenJob(turns: number): JsonObject & { readonly id: string } {
  const utterances = Array.from({ length: turns }, (_, index) =>
    said(`Sentence ${index} of a long evening.`, index * 4),
  );
  return {
    ...fixtureItem('preRecordedDone'),
    id: 'spoken',
    custom_metadata: { title: 'A long evening' },
    result: { transcription: { languages: ['fr'], utterances } },
  };
}

function said(text: string, start: number): JsonObject {
  return { text, start, end: start + 3, speaker: start % 2, language: 'fr' };
}
