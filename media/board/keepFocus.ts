/** By part of the page: what gets the focus after the element that had it is gone, the first that there is. */
const refuges: readonly (readonly [part: string, instead: string])[] = [
  ['.basis', '.basis button'],
  ['.finding', '.finding h2, .explain button'],
];
const anyRefuge = ['.grid', '.facet-button', '.toggle[aria-pressed=true]'];

/** Draws, and leaves the focus near where it was, should its element disappear, as a button does that has done its work. */
export function keepFocus(root: HTMLElement, draw: () => void): void {
  const held = document.activeElement;
  const isHeld = held !== null && root.contains(held) && document.hasFocus();
  const instead = refuges.filter(([part]) => isHeld && held.closest(part) !== null).map(([, each]) => each);
  draw();
  if (!isHeld || held.isConnected) return;
  const refuge = [...instead, ...anyRefuge].map((each) => root.querySelector<HTMLElement>(each)).find(Boolean);
  refuge?.focus({ preventScroll: true });
}
