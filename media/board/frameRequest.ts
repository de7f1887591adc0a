/** Draws a page at most once per frame. */
export class FrameRequest {
  readonly #draw: () => void;
  #isPending = false;

  constructor(draw: () => void) {
    this.#draw = draw;
  }

  /** Draws in the next frame, unless {@link drawn} is called before. */
  drawSoon(): void {
    if (this.#isPending) return;
    this.#isPending = true;
    requestAnimationFrame(() => {
      if (this.#isPending) this.#draw();
    });
  }

  /** The page is drawn for any reason. */
  drawn(): void {
    this.#isPending = false;
  }
}
