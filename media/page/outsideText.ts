import { t } from '@vscode/l10n';
import { formatNumber } from '../../src/domain/format.ts';
import { element, setText } from './element.ts';
import type { PageContext } from './pageContext.ts';
import { partByKind, type Part } from './part.ts';

/** Longer texts, or texts of more lines, are shown by their beginning first. */
const shortLength = 1000;
const shortLines = 12;
/** How much more of a huge text one press shows: what a browser lays out without a pause. */
const stepLength = 200_000;

/** A text from outside: isolated from the direction of what stands around it, a link when it is a plain web address. */
export function outsideText(first: string, context: PageContext): Part<string> {
  return partByKind<string>(
    (text) => (isWebAddress(text) ? 'link' : isShort(text) ? 'short' : 'long'),
    (text) =>
      isWebAddress(text) ? linkPart(text, context) : isShort(text) ? shortPart(text) : longPart(text, context),
    first,
  );
}

/** Only what reads the same to the eye and to the editor: ASCII, http or https, one word. */
function isWebAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/i.test(text) && URL.canParse(text);
}

function isShort(text: string): boolean {
  return beginning(text).length === text.length;
}

function beginning(text: string): string {
  const lines = text.slice(0, shortLength).split('\n', shortLines).join('\n');
  return wholeCharacters(lines);
}

/** Without the half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}

function shortPart(first: string): Part<string> {
  const bdi = element('bdi', { class: 'outside', text: first });
  return { element: bdi, update: (text) => setText(bdi, text) };
}

function linkPart(first: string, { send }: PageContext): Part<string> {
  const link = element('button', {
    class: 'link outside',
    text: first,
    attributes: { type: 'button', role: 'link', dir: 'ltr' },
    onClick: () => send({ type: 'openLink', url: link.textContent }),
  });
  return { element: link, update: (text) => setText(link, text) };
}

function longPart(first: string, { locale }: PageContext): Part<string> {
  let text = first;
  let shownLength = 0;
  const bdi = element('bdi', { class: 'outside' });
  const more = element('button', { class: 'quiet', attributes: { type: 'button' }, onClick: () => press() });
  const show = (length: number): void => {
    shownLength = length;
    const shown = length === 0 ? `${beginning(text)}…` : wholeCharacters(text.slice(0, length));
    setText(bdi, shown);
    const left = text.length - length;
    const caption =
      left <= 0
        ? t('Show less')
        : left <= stepLength
          ? t('Show all {0} characters', formatNumber(text.length, locale))
          : t('Show {0} more characters', formatNumber(stepLength, locale));
    setText(more, caption);
  };
  const press = (): void => show(shownLength >= text.length ? 0 : Math.min(text.length, shownLength + stepLength));
  show(0);
  return {
    element: element('span', { class: 'long' }, bdi, more),
    update: (next) => {
      if (next === text) return;
      text = next;
      show(Math.min(shownLength, text.length));
    },
  };
}
