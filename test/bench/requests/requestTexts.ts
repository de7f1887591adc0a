/** Returns a request of one megabyte with 10,000 vocabulary entries, one in a hundred of which has an error. */
export function largeRequest(): string {
  const terms = Array.from({ length: 10_000 }, (_, index) => ({
    value: `Term ${index} of the trade`,
    pronunciations: [`turm ${index}`],
    intensity: 0.4 + (index % 20) / 100,
    language: 'en',
    ...(index % 100 === 0 && wrong[(index / 100) % wrong.length]),
  }));
  return `{
  "audio_url": "https://media.example.com/meeting.mp3",
  "language_config": { "languages": ["en", "fr"], "code_switching": true },
  "custom_vocabulary": true,
  "custom_vocabulary_config": {
    "default_intensity": 0.5,
    "vocabulary": [
      ${terms.map((term) => JSON.stringify(term)).join(',\n      ')}
    ]
  }
}
`;
}

const wrong = [
  { intensity: '0.5' },
  { intensity: 0.95 },
  { value: 7 },
  { pronunciation: 'turm' },
  { language: 'english' },
];

/** Returns a request of typical size with common mistakes. */
export function smallRequest(): string {
  return JSON.stringify(
    {
      audio_url: 'https://media.example.com/recordings/2026/11/quarterly-review.mp3',
      language_config: { languages: ['en', 'fr', 'en'], code_switching: true },
      custom_vocabulary: true,
      custom_vocabulary_config: {
        vocabulary: Array.from({ length: 12 }, (_, index) => ({
          value: `Product ${index}`,
          pronunciations: [`prodackt ${index}`],
          intensity: index === 3 ? 0.9 : 0.5,
        })),
        default_intensity: 0.5,
      },
      diarization: true,
      diarization_config: { min_speakers: 4, max_speakers: 2 },
      subtitles: true,
      subtitles_config: { formats: ['srt', 'vtt'], maximum_characters_per_row: 60, style: 'compliance' },
      translation: true,
      translation_config: { target_languages: ['fr', 'de'] },
      sentence: true,
      custom_metadata: { customer: 'Aurora Health', project: 'weekly review' },
    },
    undefined,
    2,
  );
}
