/** What an element is made with: attributes, and listeners for clicks. No markup is ever parsed: every string stays text. */
export interface ElementOptions {
  readonly class?: string;
  readonly text?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly onClick?: () => void;
}

/** Makes an element with its children; strings among them become text nodes. */
export function element<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  options: ElementOptions = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(tag);
  if (options.class !== undefined) made.className = options.class;
  if (options.text !== undefined) made.textContent = options.text;
  for (const [name, value] of Object.entries(options.attributes ?? {})) made.setAttribute(name, value);
  if (options.onClick !== undefined) made.addEventListener('click', options.onClick);
  made.append(...children);
  return made;
}

/** Sets an element's text only when it changes, so that a selection in it survives. */
export function setText(target: HTMLElement, text: string): void {
  if (target.textContent !== text) target.textContent = text;
}
