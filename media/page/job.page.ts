import './base.css';
import './comparison.css';
import './job.css';
import './transcript.css';
import { t } from '@vscode/l10n';
import type { PageJob } from '../../src/features/details/common/protocol.ts';
import { startPage } from './pageShell.ts';
import { renderComparison } from './renderComparison.ts';
import { renderAbsent, renderJob } from './renderJob.ts';
import { findInPage } from './renderTranscript.ts';

/** Job on the page and its status label, which is announced to screen readers when it changes. */
let shown: { readonly name: string; readonly status: string } | undefined;

startPage((message, shell) => {
  switch (message.type) {
    case 'job': {
      const { job, view, find } = message;
      const name = nameOf('job', job);
      const status = t('Status: {0}', view.status.text);
      shell.belongsTo(job);
      shell.show({
        name,
        title: view.title,
        spoken: `${view.title} · ${status}`,
        render: (page) => renderJob(view, page),
      });
      if (view.transcript !== undefined && find !== undefined) {
        shell.sections.reveal(view.folds, 'transcript');
        findInPage(view.transcript, find, shell);
        shell.send({ type: 'found' });
      }
      if (shown?.name === name && shown.status !== status) shell.announce(status);
      shown = { name, status };
      break;
    }
    case 'absent': {
      const { job, view } = message;
      shell.belongsTo(job);
      shell.show({
        name: nameOf('absent', job),
        title: view.title,
        spoken: `${view.title} · ${view.text}`,
        render: (page) => renderAbsent(view, page),
      });
      shown = undefined;
      break;
    }
    case 'copied':
      shell.confirmCopied(message.what);
      break;
    case 'comparison': {
      const { sessions, view, diffOffered } = message;
      shell.compares(sessions);
      shell.show({
        name: 'comparison',
        title: view.title,
        render: (page) => renderComparison(view, diffOffered, page),
      });
      break;
    }
    case 'absentSessions': {
      const { sessions, view } = message;
      shell.compares(sessions);
      shell.show({
        name: 'absent',
        title: view.title,
        spoken: `${view.title} · ${view.text}`,
        render: (page) => renderAbsent(view, page),
      });
      break;
    }
  }
});

function nameOf(what: 'job' | 'absent', { connection, kind, id }: PageJob): string {
  return JSON.stringify([what, connection, kind, id]);
}
