import './base.css';
import './comparison.css';
import { startPage } from './pageShell.ts';
import { renderComparison } from './renderComparison.ts';
import { renderAbsent } from './renderJob.ts';

startPage((message, shell) => {
  if (message.type === 'comparison') {
    const { sessions, view, diffOffered } = message;
    shell.compares(sessions);
    shell.show({ name: 'comparison', title: view.title, render: (page) => renderComparison(view, diffOffered, page) });
  } else if (message.type === 'absentSessions') {
    const { sessions, view } = message;
    shell.compares(sessions);
    shell.show({
      name: 'absent',
      title: view.title,
      spoken: `${view.title} · ${view.text}`,
      render: (page) => renderAbsent(view, page),
    });
  }
});
