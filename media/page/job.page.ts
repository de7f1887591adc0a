import './base.css';
import './job.css';
import { t } from '@vscode/l10n';
import type { AbsentView, PageJob } from '../../src/domain/protocol.ts';
import { absentPart } from './absentPart.ts';
import { jobPart, type JobPart } from './jobPart.ts';
import type { Part } from './part.ts';
import { startPage } from './pageShell.ts';

/** What is on the page now, and of which job. */
type Shown =
  | { readonly type: 'job'; readonly of: string; readonly part: JobPart }
  | { readonly type: 'absent'; readonly of: string; readonly part: Part<AbsentView> };
let shown: Shown | undefined;

startPage((message, shell) => {
  switch (message.type) {
    case 'job': {
      shell.belongsTo(message.job);
      const of = nameOf(message.job);
      if (shown?.type === 'job' && shown.of === of) shown.part.update(message.view);
      else shown = { type: 'job', of, part: jobPart(message.view, shell.context) };
      const { title, status } = message.view;
      shell.show(shown.part.element, title, `${title} · ${t('Status: {0}', status.text)}`);
      break;
    }
    case 'absent': {
      shell.belongsTo(message.job);
      const of = nameOf(message.job);
      if (shown?.type === 'absent' && shown.of === of) shown.part.update(message.view);
      else shown = { type: 'absent', of, part: absentPart(message.view, shell.context) };
      shell.show(shown.part.element, message.view.title, `${message.view.title} · ${message.view.text}`);
      break;
    }
    case 'copied':
      if (shown?.type === 'job') shown.part.copied(message.what);
      break;
    case 'comparison':
      break;
  }
});

function nameOf({ connection, kind, id }: PageJob): string {
  return JSON.stringify([connection, kind, id]);
}
