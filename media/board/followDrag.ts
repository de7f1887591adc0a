/** Events of a drag with mouse, pen or finger. Positions are in pixels of the page. */
export interface DragEvents {
  moved(fromX: number, toX: number): void;
  ended(fromX: number, toX: number): void;
  /** Called when the drag ended where it began or was cancelled. */
  dropped(): void;
}

/** Minimum distance of a drag, in pixels; a shorter one is a click. */
const leastWay = 3;

/** Follows a drag to its end, anywhere on the page. */
export function followDrag({ button, pointerId, clientX: fromX, currentTarget }: PointerEvent, to: DragEvents): void {
  if (button !== 0 || !(currentTarget instanceof HTMLElement)) return;
  currentTarget.setPointerCapture(pointerId);
  const following = new AbortController();
  const listen = (type: 'pointermove' | 'pointerup' | 'pointercancel', body: (x: number) => void): void =>
    currentTarget.addEventListener(
      type,
      (event) => {
        if (event.pointerId === pointerId) body(event.clientX);
      },
      { signal: following.signal },
    );
  listen('pointermove', (x) => to.moved(fromX, x));
  listen('pointerup', (x) => {
    following.abort();
    if (Math.abs(x - fromX) < leastWay) to.dropped();
    else to.ended(fromX, x);
  });
  listen('pointercancel', () => {
    following.abort();
    to.dropped();
  });
}
