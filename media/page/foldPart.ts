import { t } from '@vscode/l10n';
import { readElements, readMembers } from '../../src/domain/json/jsonText.ts';
import { formatNumber, type Locale } from '../../src/domain/format.ts';
import { element } from './element.ts';
import { icon } from './icon.ts';
import { nameLabel } from './nameLabel.ts';
import type { PageContext } from './pageContext.ts';
import { pagedList } from './pagedList.ts';
import type { Part } from './part.ts';

/** One member of an object or element of an array. */
interface Child {
  readonly name: string;
  readonly json: string;
  /** The name is a key of the item, not a position. */
  readonly keyed: boolean;
}

/** Makes the part of a JSON value at a position, under a name. */
export type MakeJsonPart = (json: string, path: string, name: string) => Part<string>;

/**
 * An object or array that folds. Only what is unfolded is read and put on the page, a hundred at a time.
 * @param makeValue makes the parts of what is inside.
 */
export function foldPart(
  first: string,
  path: string,
  name: string,
  context: PageContext,
  makeValue: MakeJsonPart,
): Part<string> {
  let json = first;
  let stale = true;
  const summary = element('span', {});
  const button = element(
    'button',
    { class: 'fold', attributes: { type: 'button' }, onClick: () => toggle(!context.folds.isOpen(path)) },
    icon('chevron'),
    summary,
  );
  const list = element('ul', { class: 'outline' });
  const inside = element('div', { class: 'inside' }, list);
  const children = pagedList<Child>(
    list,
    inside,
    context.locale,
    (child, index) => `${index}:${child.name}`,
    (child, index) => childPart(child, `${path}/${index}`, makeValue),
  );
  const describe = (): void => {
    const words = countText(json, childrenOf(json).length, context.locale);
    summary.textContent = words;
    button.setAttribute('aria-label', t('{0}: {1}', name, words));
  };
  const fill = (): void => {
    if (stale) children(childrenOf(json));
    stale = false;
  };
  const toggle = (open: boolean): void => {
    context.folds.set(path, open);
    apply(open);
  };
  const apply = (open: boolean): void => {
    if (open) fill();
    button.setAttribute('aria-expanded', String(open));
    inside.hidden = !open;
  };
  describe();
  apply(context.folds.isOpen(path));
  return {
    element: element('div', { class: 'foldable' }, button, inside),
    update: (next) => {
      if (next === json) return;
      json = next;
      stale = true;
      describe();
      if (!inside.hidden) fill();
    },
  };
}

function childrenOf(json: string): readonly Child[] {
  return json.startsWith('{')
    ? readMembers(json).map(({ key, text }) => ({ name: key, json: text, keyed: true }))
    : readElements(json).map((text, index) => ({ name: String(index + 1), json: text, keyed: false }));
}

function countText(json: string, count: number, locale: Locale): string {
  const digits = formatNumber(count, locale);
  if (json.startsWith('{')) return count === 1 ? t('1 entry') : t('{0} entries', digits);
  return count === 1 ? t('1 item') : t('{0} items', digits);
}

function childPart({ name, json, keyed }: Child, path: string, makeValue: MakeJsonPart): Part<Child> {
  const value = makeValue(json, path, name);
  const label = nameLabel(name, keyed ? 'key' : 'position');
  return {
    element: element('li', {}, label, value.element),
    update: (child) => value.update(child.json),
  };
}
