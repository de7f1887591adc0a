import type { ViewSection } from '../../src/domain/jobView/jobView.ts';
import { element, setText } from './element.ts';
import { icon } from './icon.ts';
import { partList, type Part } from './part.ts';

type Notes = ViewSection['notes'];

/** What the parameters say against each other. */
export function notesPart(first: Notes): Part<Notes> {
  const list = element('ul', { class: 'notes' });
  const notes = partList<Notes[number]>(
    list,
    ({ id }) => id,
    ({ text }) => {
      const words = element('span', { text });
      return { element: element('li', {}, icon('note'), words), update: (note) => setText(words, note.text) };
    },
  );
  const update = (views: Notes): void => {
    list.hidden = views.length === 0;
    notes(views);
  };
  update(first);
  return { element: list, update };
}
