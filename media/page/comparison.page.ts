import './base.css';
import './comparison.css';
import { comparisonPart, type Comparison } from './comparisonPart.ts';
import type { Part } from './part.ts';
import { startPage } from './pageShell.ts';

let shown: Part<Comparison> | undefined;

startPage((message, shell) => {
  if (message.type !== 'comparison') return;
  if (shown === undefined) shown = comparisonPart(message, shell.context);
  else shown.update(message);
  shell.show(shown.element, message.view.title);
});
