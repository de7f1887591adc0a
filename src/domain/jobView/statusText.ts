import { t } from '@vscode/l10n';
import { isJobStatus } from '../job.ts';
import type { ViewStatus } from './jobView.ts';

/** A job's status in words and the tone to show it in; a status that we do not know is shown as received. */
export function statusOf(status: string): ViewStatus {
  if (!isJobStatus(status)) return { tone: 'unknown', text: status === '' ? t('Unknown status') : status };
  switch (status) {
    case 'queued':
      return { tone: status, text: t('Queued') };
    case 'processing':
      return { tone: status, text: t('Processing') };
    case 'done':
      return { tone: status, text: t('Done') };
    case 'error':
      return { tone: status, text: t('Failed') };
  }
}

/** A job's kind in words; a kind that we do not know is shown as received. */
export function kindText(kind: string): string {
  switch (kind) {
    case 'pre-recorded':
      return t('Pre-recorded');
    case 'live':
      return t('Live');
    case '':
      return t('Unknown kind');
    default:
      return kind;
  }
}
