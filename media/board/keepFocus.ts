/** By part of the page, the elements that can get the focus when the focused element is removed. The first existing one gets it. */
const refuges: readonly (readonly [part: string, instead: string])[] = [
  ['.basis', '.basis button'],
  ['.finding', '.finding h2, .explain button'],
];
const anyRefuge = ['.grid', '.facet-button', '.toggle[aria-pressed=true]'];

/** Renders and keeps the focus nearby if the focused element is removed, for example a button after it was pressed. */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const held = document.activeElement;
  const isHeld = held !== null && root.contains(held) && document.hasFocus();
  const instead = refuges.filter(([part]) => isHeld && held.closest(part) !== null).map(([, each]) => each);
  draw();
  if (!isHeld || held.isConnected) return;
  const refuge = [...instead, ...anyRefuge].map((each) => root.querySelector<HTMLElement>(each)).find(Boolean);
  refuge?.focus({ preventScroll: true });
}
