import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

/** How long the page may wait for a piece of drawing, so that it scrolls and types while it grows. */
const sliceMs = 8;

type Draw = (index: number) => unknown;

class Gradual extends AsyncDirective {
  #draw: Draw = () => undefined;
  #length = 0;
  #drawn = 1;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  override render(length: number, atLeast: number, draw: Draw): readonly unknown[] {
    // Each piece keeps what it has drawn until it changes itself, so that one more does not draw all others again.
    this.#draw = draw;
    this.#length = length;
    this.#drawn = Math.max(this.#drawn, atLeast);
    this.#goOn();
    return this.#pieces();
  }

  override reconnected(): void {
    this.#goOn();
  }

  override disconnected(): void {
    clearTimeout(this.#waiting);
    this.#waiting = undefined;
  }

  #pieces(): readonly unknown[] {
    return Array.from({ length: Math.min(this.#drawn, this.#length) }, (_, index) => this.#draw(index));
  }

  #goOn(): void {
    if (this.#drawn >= this.#length || this.#waiting !== undefined) return;
    this.#waiting = setTimeout(() => {
      this.#waiting = undefined;
      const untilMs = performance.now() + sliceMs;
      do {
        this.#drawn++;
        this.setValue(this.#pieces());
      } while (this.#drawn < this.#length && performance.now() < untilMs);
      this.#goOn();
    });
  }
}

/**
 * Draws something long in pieces: the first ones at once, the others in the time that is left, until all of it is on the page.
 * Takes how many pieces there are, how many must be there now, and what draws one.
 */
export const drawGradually = directive(Gradual);
