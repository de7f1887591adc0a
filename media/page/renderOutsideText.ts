import { t } from '@vscode/l10n';
import { html, type TemplateResult } from 'lit/html.js';
import { formatNumber } from '../../src/base/format.ts';
import type { PageContext } from './pageContext.ts';

/** Texts longer than this many characters are truncated at first. */
const shortLength = 1000;
const shortLines = 12;
/** Number of characters that one press adds: as many as a browser lays out without a noticeable delay. */
const stepLength = 200_000;
const maxNameLength = 120;

/** Renders untrusted text: isolated from the surrounding text direction, and as a link if it is a plain web address. */
export function renderOutsideText(text: string, path: string, page: PageContext): TemplateResult {
  if (isWebAddress(text)) {
    const open = (): void => page.send({ type: 'openLink', url: text });
    return html`<button class="link outside" type="button" role="link" dir="ltr" @click=${open}>${text}</button>`;
  }
  return isShort(text) ? html`<bdi class="outside">${text}</bdi>` : renderLongText(text, path, page);
}

/** Renders a name as a label that may wrap after dots and underscores. Truncates a very long one and shows an empty one as quotes. */
export function renderName(name: string, className = ''): TemplateResult {
  const shown = name === '' ? '""' : name.length > maxNameLength ? `${name.slice(0, maxNameLength - 1)}…` : name;
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

/** True for addresses that cannot be misread: ASCII, http or https, no white space. */
function isWebAddress(text: string): boolean {
  return text.length <= 2000 && /^https?:\/\/[\x21-\x7e]+$/i.test(text) && URL.canParse(text);
}

function isShort(text: string): boolean {
  return beginning(text).length === text.length;
}

function beginning(text: string): string {
  return wholeCharacters(text.slice(0, shortLength).split('\n', shortLines).join('\n'));
}

/** Removes half of a surrogate pair from the end. */
function wholeCharacters(text: string): string {
  return /[\ud800-\udbff]$/.test(text) ? text.slice(0, -1) : text;
}
