/** A piece of the page that follows its view model in place: focus, selection and scroll stay where they are. */
export interface Part<V> {
  readonly element: HTMLElement;
  update(view: V): void;
}

/**
 * Keeps the children of a container in step with a list: parts are found again by key, made, updated, removed.
 * @param keyOf tells the views of one list apart; a view whose key changes gets a new part.
 * @param after the last child that is not of the list; the list's parts follow it.
 */
export function partList<V>(
  container: HTMLElement,
  keyOf: (view: V, index: number) => string,
  make: (view: V, index: number) => Part<V>,
  after?: Element,
): (views: readonly V[]) => void {
  let parts = new Map<string, Part<V>>();
  return (views) => {
    const next = new Map<string, Part<V>>();
    views.forEach((view, index) => {
      const key = keyOf(view, index);
      const old = parts.get(key);
      old?.update(view);
      next.set(key, old ?? make(view, index));
    });
    for (const [key, part] of parts) if (!next.has(key)) part.element.remove();
    let at = after === undefined ? container.firstElementChild : after.nextElementSibling;
    for (const { element } of next.values()) {
      if (element === at) at = at.nextElementSibling;
      else container.insertBefore(element, at);
    }
    parts = next;
  };
}

/** A part that is made anew when the kind of its view changes, and updated otherwise. */
export function partByKind<V>(kindOf: (view: V) => string, make: (view: V) => Part<V>, first: V): Part<V> {
  const holder = document.createElement('div');
  holder.className = 'holder';
  const update = partList(holder, kindOf, make);
  update([first]);
  return { element: holder, update: (view) => update([view]) };
}
