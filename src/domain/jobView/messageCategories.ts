import { t } from '@vscode/l10n';
import type { MessageSwitch } from '../jobShape.ts';

/** One of the nine switches and the message category that it selects. */
export interface MessageCategory {
  /** As on the wire. */
  readonly name: string;
  readonly title: string;
}

/** The message category that each of the nine switches selects (contract 6). */
export function messageCategories(): readonly MessageCategory[] {
  const titles: Readonly<Record<MessageSwitch, string>> = {
    receive_partial_transcripts: t('Partial transcripts'),
    receive_final_transcripts: t('Final transcripts'),
    receive_speech_events: t('Speech events'),
    receive_pre_processing_events: t('Pre-processing events'),
    receive_realtime_processing_events: t('Real-time processing events'),
    receive_post_processing_events: t('Post-processing events'),
    receive_acknowledgments: t('Acknowledgments'),
    receive_errors: t('Errors'),
    receive_lifecycle_events: t('Lifecycle events'),
  };
  return Object.entries(titles).map(([name, title]) => ({ name, title }));
}
