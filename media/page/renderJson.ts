import { t } from '@vscode/l10n';
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { formatNumber, type Locale } from '../../src/base/format.ts';
import { readElements, readMembers } from '../../src/base/json/jsonText.ts';
import type { PageContext } from './pageContext.ts';
import { renderFoldButton } from './renderButton.ts';
import { renderName, renderOutsideText } from './renderOutsideText.ts';
import { renderPagedList } from './renderPagedList.ts';

/** A JSON value as source text. */
interface JsonValue {
  readonly json: string;
}

/** One member of an object or element of an array. */
interface Child extends JsonValue {
  readonly name: string;
  /** True if the name is an object key, false if it is an array index. */
  readonly keyed: boolean;
}

/**
 * Renders a JSON value as received: strings are shown as text, numbers keep their digits, objects and arrays can be folded.
 * @param path position on the page, under which the fold state is kept.
 * @param name accessible name of the fold button.
 */
export function renderJson(value: JsonValue, path: string, name: string, page: PageContext): TemplateResult {
  const { json } = value;
  if (isNested(json)) return renderOutline(value, path, name, page);
  if (json.startsWith('"') && json !== '""') return renderOutsideText(String(JSON.parse(json)), path, page);
  return html`<code>${/^[{[]/.test(json) ? json.replaceAll(/\s/g, '') : json}</code>`;
}

/** True if the value is a non-empty object or array. */
function isNested(json: string): boolean {
  return /^[{[]\s*[^\s}\]]/.test(json);
}

/** Renders a foldable object or array. Its children are rendered only if it is expanded, a hundred at a time. */
function renderOutline(value: JsonValue, path: string, name: string, page: PageContext): TemplateResult {
  const children = childrenOf(value);
  const words = countText(value.json, children.length, page.locale);
  const button = renderFoldButton(words, path, page, { label: t('{0}: {1}', name, words) });
  const inside = (): TemplateResult =>
    renderPagedList(children, path, page, {
      frame: (items) =>
        html`<ul class="outline">
          ${items}
        </ul>`,
      keyOf: (child, index) => `${index}:${child.name}`,
      item: (child, index) => renderChild(child, `${path}/${index}`, page),
    });
  return html`<div class="foldable">
    ${button}${page.unfolding.isOpen(path) ? html`<div class="inside">${inside()}</div>` : nothing}
  </div>`;
}

function renderChild(child: Child, path: string, page: PageContext): TemplateResult {
  const label = renderName(child.name, child.keyed ? 'key' : 'position');
  return html`<li>${label}${renderJson(child, path, child.name, page)}</li>`;
}

/** Cache of parsed children, so that rendering again does not parse again. */
const childrenRead = new WeakMap<JsonValue, readonly Child[]>();

function childrenOf(value: JsonValue): readonly Child[] {
  const read = childrenRead.get(value) ?? readChildren(value.json);
  childrenRead.set(value, read);
  return read;
}

function readChildren(json: string): readonly Child[] {
  return json.startsWith('{')
    ? readMembers(json).map(({ key, text }) => ({ name: key, json: text, keyed: true }))
    : readElements(json).map((text, index) => ({ name: String(index + 1), json: text, keyed: false }));
}

function countText(json: string, count: number, locale: Locale): string {
  const digits = formatNumber(count, locale);
  if (json.startsWith('{')) return count === 1 ? t('1 entry') : t('{0} entries', digits);
  return count === 1 ? t('1 item') : t('{0} items', digits);
}
