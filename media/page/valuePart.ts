import { t } from '@vscode/l10n';
import type { ViewMoment, ViewValue } from '../../src/domain/jobView/jobView.ts';
import { formatDistance } from '../../src/domain/format.ts';
import { element, setText } from './element.ts';
import { jsonPart } from './jsonPart.ts';
import { outsideText } from './outsideText.ts';
import type { PageContext } from './pageContext.ts';
import { partByKind, type Part } from './part.ts';

/** Any value of a view. `path` and `name` as for a JSON value. */
export function valuePart(first: ViewValue, path: string, name: string, context: PageContext): Part<ViewValue> {
  return partByKind<ViewValue>(kindOf, (value) => makePart(value, path, name, context), first);
}

function kindOf(value: ViewValue): string {
  return value.type === 'text' ? `text ${value.verbatim}` : value.type;
}

function makePart(value: ViewValue, path: string, name: string, context: PageContext): Part<ViewValue> {
  switch (value.type) {
    case 'missing':
      return constant(element('span', { class: 'missing', text: '–' }));
    case 'text':
      return value.verbatim
        ? only('text', outsideText(value.text, context), (view) => view.text)
        : only('text', wordsPart(value.text), (view) => view.text);
    case 'switch':
      return only('switch', switchPart(value.on), (view) => view.on);
    case 'moment':
      return only('moment', momentPart(value, context), (view) => view);
    case 'json':
      return only('json', jsonPart(value.json, path, name, context), (view) => view.json);
  }
}

/** A part that only ever gets views of one type, because {@link partByKind} makes another one for the others. */
function only<T extends ViewValue['type'], P>(
  type: T,
  part: Part<P>,
  read: (view: Extract<ViewValue, { type: T }>) => P,
): Part<ViewValue> {
  const isIt = (view: ViewValue): view is Extract<ViewValue, { type: T }> => view.type === type;
  return {
    element: part.element,
    update: (view) => {
      if (isIt(view)) part.update(read(view));
    },
  };
}

function constant(made: HTMLElement): Part<ViewValue> {
  return { element: made, update: () => undefined };
}

function wordsPart(first: string): Part<string> {
  const bdi = element('bdi', { text: first });
  return { element: bdi, update: (text) => setText(bdi, text) };
}

function switchPart(first: boolean): Part<boolean> {
  const made = element('span');
  const update = (on: boolean): void => {
    made.className = on ? 'switch on' : 'switch';
    setText(made, on ? t('On') : t('Off'));
  };
  update(first);
  return { element: made, update };
}

/** Date and time, and how far that is from now. */
export function momentPart(first: ViewMoment, { locale, ticker }: PageContext): Part<ViewMoment> {
  let moment = first;
  const time = element('time');
  const distance = element('span', { class: 'dim' });
  const refresh = (): void => setText(distance, formatDistance(moment.atMs, Date.now(), locale));
  const update = (next: ViewMoment): void => {
    moment = next;
    time.dateTime = next.iso;
    time.title = next.iso;
    setText(time, next.absolute);
    refresh();
  };
  update(first);
  ticker.watch(distance, refresh);
  return { element: element('span', { class: 'moment' }, time, ' ', distance), update };
}
