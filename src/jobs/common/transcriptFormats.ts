/** The formats of a file with a transcript. `text` contains only the spoken text, `turns` adds speakers and times. */
export const transcriptFormats = ['text', 'turns', 'markdown', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];
