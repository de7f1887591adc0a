import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

/** Maximum time, in milliseconds, to render without yielding, so that the page keeps responding to input. */
const sliceMs = 8;

type Draw = (index: number) => unknown;

class Gradual extends AsyncDirective {
  #draw: Draw = () => undefined;
  #length = 0;
  #drawn = 1;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  override render(length: number, atLeast: number, draw: Draw): readonly unknown[] {
    // Each chunk keeps its own rendered result, so that adding one does not render the others again.
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
 * Renders long content in chunks: the first ones at once, the others in idle time, until all are on the page.
 * Takes the number of chunks, how many must be rendered at once, and a function that renders one.
 */
export const drawGradually = directive(Gradual);
