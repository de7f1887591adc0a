import { element } from './element.ts';
import { icon, type IconName } from './icon.ts';

/** A button that is only a drawing; `label` is its name and its hint. */
export function iconButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  return element(
    'button',
    { class: 'icon-button', attributes: { type: 'button', title: label, 'aria-label': label }, onClick },
    icon(name),
  );
}

/** A button with a drawing and words. */
export function wordButton(name: IconName, label: string, onClick: () => void): HTMLButtonElement {
  return element('button', { class: 'word-button', attributes: { type: 'button' }, onClick }, icon(name), label);
}
