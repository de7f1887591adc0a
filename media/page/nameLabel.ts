import { element } from './element.ts';

const longestName = 120;

/** A name as a label: it may break after dots and underscores; of a monstrous one the beginning, of an empty one its quotes. */
export function nameLabel(name: string, className = ''): HTMLElement {
  const shown = name === '' ? '""' : name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const pieces = shown.split(/(?<=[._])/).flatMap((piece) => [piece, element('wbr')]);
  return element('bdi', { class: className }, ...pieces);
}
