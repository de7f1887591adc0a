import { AsyncDirective } from 'lit/async-directive.js';
import { directive } from 'lit/directive.js';

const tickMs = 5000;
const onScreen = new Set<CurrentText>();
let ticking: ReturnType<typeof setInterval> | undefined;

class CurrentText extends AsyncDirective {
  #write: () => string = () => '';

  override render(write: () => string): string {
    this.#write = write;
    if (this.isConnected) this.reconnected();
    return write();
  }

  refresh(): void {
    this.setValue(this.#write());
  }

  override reconnected(): void {
    onScreen.add(this);
    ticking ??= setInterval(() => {
      for (const each of onScreen) each.refresh();
    }, tickMs);
  }

  override disconnected(): void {
    onScreen.delete(this);
  }
}

/** Renders a text that depends on the current time, such as a relative time, and updates it every few seconds while it is on the page. */
export const keepCurrent = directive(CurrentText);
