import type { ViewStatus } from '../../src/domain/jobView/jobView.ts';
import { element } from './element.ts';
import { icon } from './icon.ts';
import { partByKind, type Part } from './part.ts';

/** A status in words, with the drawing and colour of its tone. */
export function statusPart(first: ViewStatus): Part<ViewStatus> {
  return partByKind<ViewStatus>(
    ({ tone, text }) => `${tone} ${text}`,
    ({ tone, text }) => ({
      element: element('span', { class: `status tone-${tone}` }, icon(tone), element('bdi', { text })),
      update: () => undefined,
    }),
    first,
  );
}
