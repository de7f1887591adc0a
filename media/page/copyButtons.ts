import { t } from '@vscode/l10n';
import type { CopyWhat } from '../../src/domain/protocol.ts';
import { icon } from './icon.ts';
import type { PageContext } from './pageContext.ts';

const confirmedMs = 2000;

/** The buttons that ask the editor for a copy, and show a tick when it is on the clipboard. */
export class CopyButtons {
  readonly #buttons = new Map<string, Set<HTMLButtonElement>>();
  readonly #context: PageContext;

  constructor(context: PageContext) {
    this.#context = context;
  }

  ask(what: CopyWhat): void {
    this.#context.send({ type: 'copy', what });
  }

  add(what: CopyWhat, button: HTMLButtonElement): HTMLButtonElement {
    const buttons = this.#buttons.get(what) ?? new Set();
    this.#buttons.set(what, buttons.add(button));
    return button;
  }

  /** The editor has copied. */
  confirm(what: string): void {
    this.#context.announce(t('Copied'));
    for (const button of this.#buttons.get(what) ?? []) {
      const drawing = button.querySelector('.icon-copy, .icon-terminal');
      if (!button.isConnected || drawing === null) continue;
      const tick = icon('check');
      drawing.replaceWith(tick);
      setTimeout(() => tick.replaceWith(drawing), confirmedMs);
    }
  }
}
