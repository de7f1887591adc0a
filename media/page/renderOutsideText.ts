import { t } from '@vscode/l10n';
import { html, type TemplateResult } from 'lit/html.js';
import { formatNumber } from '../../src/domain/format.ts';
import type { PageContext } from './pageContext.ts';

/** Longer texts, or texts of more lines, are shown by their beginning first. */
const shortLength = 1000;
const shortLines = 12;
/** How much more of a huge text one press shows: what a browser lays out without a pause. */
const stepLength = 200_000;
const longestName = 120;

/** A text from outside: isolated from the direction of what stands around it, a link when it is a plain web address. */
export function renderOutsideText(text: string, path: string, page: PageContext): TemplateResult {
  if (isWebAddress(text)) {
    const open = (): void => page.send({ type: 'openLink', url: text });
    return html`<button class="link outside" type="button" role="link" dir="ltr" @click=${open}>${text}</button>`;
  }
  return isShort(text) ? html`<bdi class="outside">${text}</bdi>` : renderLongText(text, path, page);
}

/** A name as a label: it may break after dots and underscores; of a monstrous one the beginning, of an empty one its quotes. */
export function renderName(name: string, className = ''): TemplateResult {
  const shown = name === '' ? '""' : name.length > longestName ? `${name.slice(0, longestName - 1)}…` : name;
  const [first = '', ...others] = shown.split(/(?<=[._])/);
  return html`<bdi class=${className}>${first}${others.map((piece) => html`<wbr />${piece}`)}</bdi>`;
}

function renderLongText(text: string, path: string, { locale, unfolding }: PageContext): TemplateResult {
  const shownLength = Math.min(unfolding.lengthAt(path, 0), text.length);
  const shown = shownLength === 0 ? `${beginning(text)}…` : wholeCharacters(text.slice(0, shownLength));
  const left = text.length - shownLength;
  const words =
    left <= 0
      ? t('Show less')
      : left <= stepLength
        ? t('Show all {0} characters', formatNumber(text.length, locale))
        : t('Show {0} more characters', formatNumber(stepLength, locale));
  const press = (): void => unfolding.setLength(path, left <= 0 ? 0 : shownLength + stepLength);
  return html`<span class="long"
    ><bdi class="outside">${shown}</bdi><button class="quiet" type="button" @click=${press}>${words}</button></span
  >`;
}

/** Only what reads the same to the eye and to the editor: ASCII, http or https, one word. */
function isWebAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/i.test(text) && URL.canParse(text);
}

function isShort(text: string): boolean {
  return beginning(text).length === text.length;
}

function beginning(text: string): string {
  return wholeCharacters(text.slice(0, shortLength).split('\n', shortLines).join('\n'));
}

/** Without the half of a surrogate pair at the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
