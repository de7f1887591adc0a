import './base.css';
import './comparison.css';
import { startPage } from './pageShell.ts';
import { renderComparison } from './renderComparison.ts';

startPage((message, shell) => {
  if (message.type !== 'comparison') return;
  const { view, diffOffered } = message;
  shell.show({ name: 'comparison', title: view.title, render: (page) => renderComparison(view, diffOffered, page) });
});
