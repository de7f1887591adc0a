import { t } from '@vscode/l10n';

/** The formats of a file with a transcript. `text` contains only the spoken text, `turns` adds speakers and times. */
export const transcriptFormats = ['text', 'turns', 'markdown', 'srt', 'vtt', 'json'] as const;
export type TranscriptFormat = (typeof transcriptFormats)[number];

/** Returns the name of a format, and what its files have. */
export function describeFormat(format: TranscriptFormat): { readonly label: string; readonly detail: string } {
  switch (format) {
    case 'text':
      return { label: t('Text'), detail: t('.txt: what was said and nothing else') };
    case 'turns':
      return {
        label: t('Text with speakers and times'),
        detail: t('.txt: a paragraph for each turn, with its time, speaker and language'),
      };
    case 'markdown':
      return { label: 'Markdown', detail: t('.md: the same with a heading') };
    case 'srt':
      return { label: 'SubRip', detail: t(".srt: the service's own subtitles, or ones made from the utterances") };
    case 'vtt':
      return { label: 'WebVTT', detail: t(".vtt: the service's own subtitles, or ones made from the utterances") };
    case 'json':
      return { label: 'JSON', detail: t('.json: the whole result, exactly as the service sent it') };
  }
}
