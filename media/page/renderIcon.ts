import { html, type TemplateResult } from 'lit/html.js';

/** SVG paths on a 16 × 16 grid. */
const paths = {
  queued: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 5v3.2l2.2 1.6',
  processing: 'M8 2.5a5.5 5.5 0 1 1-5.5 5.5',
  done: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M5.5 8.2l1.8 1.8l3.3-3.8',
  error: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M6 6l4 4M10 6l-4 4',
  unknown: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M6.4 6.6a1.6 1.6 0 1 1 2.3 1.5q-.7.3-.7 1M8 11v.1',
  chevron: 'M6 4l4 4l-4 4',
  copy: 'M6.5 5.5h6v8h-6zM4.5 10.5h-1v-8h6v1',
  check: 'M3 8.5l3.2 3.2l6.8-7.4',
  edit: 'M3 13l.6-2.6l7.2-7.2l2 2l-7.2 7.2z',
  json: 'M6.5 3q-2 0-2 2v1.5q0 1.5-1.5 1.5q1.5 0 1.5 1.5v1.5q0 2 2 2M9.5 3q2 0 2 2v1.5q0 1.5 1.5 1.5q-1.5 0-1.5 1.5v1.5q0 2-2 2',
  tag: 'M2.5 2.5h5.5l5.5 5.5l-5.5 5.5l-5.5-5.5zM5.2 5.2v.1',
  terminal: 'M3 4.5l3.5 3.5l-3.5 3.5M8.5 12h4.5',
  note: 'M8 2.5a5.5 5.5 0 1 1 0 11a5.5 5.5 0 1 1 0-11M8 7.3v3.4M8 5.2v.1',
  search: 'M7 2.5a4.5 4.5 0 1 1 0 9a4.5 4.5 0 1 1 0-9M10.3 10.3l3.2 3.2',
  off: 'M3.5 3.5h9v9h-9z',
  on: 'M3.5 3.5h9v9h-9zM5.7 8l1.7 1.8l3-3.6',
  lines: 'M3 4h10M3 8h10M3 12h6',
  previous: 'M4 10l4-4l4 4',
  next: 'M4 6l4 4l4-4',
  save: 'M8 2.5v7M5 6.7l3 3l3-3M3 12.5h10',
  external: 'M9.5 3h3.5v3.5M13 3l-6 6M10.5 9.5v3.5h-7.5v-7.5h3.5',
  link: 'M6.7 9.3l2.6-2.6M7.5 5l1.6-1.6q1.7-1.4 3.3.2t.2 3.3l-1.6 1.6M8.5 11l-1.6 1.6q-1.7 1.4-3.3-.2t-.2-3.3l1.6-1.6',
  eye: 'M1.8 8q6.2-8.4 12.4 0q-6.2 8.4-12.4 0M8 6.2a1.8 1.8 0 1 1 0 3.6a1.8 1.8 0 1 1 0-3.6',
  file: 'M4 2.5h5l3 3v8h-8zM9 2.5v3h3',
  repeat: 'M6.5 5.5h6v8h-6zM4.5 10.5h-1v-8h6v1M9.5 7.5v4M7.5 9.5h4',
  again: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v2.5h-2.5',
  mute: 'M4 11.5h8M5 11.5v-4a3 3 0 0 1 6 0v4M7 13.5h2M3 3l10 10',
  more: 'M3.5 8v.1M8 8v.1M12.5 8v.1',
  diff: 'M5 3v6M2 6h6M8.5 12h5.5',
} as const;
/** Name of an icon. */
export type IconName = keyof typeof paths;

/** Renders an icon in the colour of the surrounding text. It is decorative: the text beside it carries the meaning. */
export function renderIcon(name: IconName): TemplateResult {
  return html`<svg viewBox="0 0 16 16" class="icon icon-${name}" aria-hidden="true"><path d=${paths[name]} /></svg>`;
}
