import { t } from '@vscode/l10n';
import { AsyncDirective } from 'lit/async-directive.js';
import { directive, type ChildPart } from 'lit/directive.js';
import { html, type TemplateResult } from 'lit/html.js';
import { writeViewTurn, type TranscriptView } from '../../src/jobs/common/result/transcriptView.ts';
import type { PageContext } from './pageContext.ts';
import { renderIcon } from './renderIcon.ts';

/** Identifies the copy of a turn by its first line, so that a button can confirm it. */
export function turnName(first: number): string {
  return `turn ${first}`;
}

/**
 * Buttons for the turn under the mouse. All turns share one set, because separate buttons for the thousands of turns of a long transcript
 * make scrolling slow. Keyboard users copy the turn of the current hit from the toolbar.
 * A click on the name of a speaker renames them; the first turn of each has a button for it.
 */
class TurnTools extends AsyncDirective {
  #view: TranscriptView | undefined;
  #page: PageContext | undefined;
  #host: HTMLElement | undefined;
  /** First line of the turn; undefined while the mouse is not on a turn. */
  #turn: number | undefined;

  override update({ parentNode }: ChildPart, [view, page]: [TranscriptView, PageContext]): unknown {
    if (view !== this.#view) this.#turn = undefined;
    this.#view = view;
    this.#page = page;
    if (this.#host !== parentNode && parentNode instanceof HTMLElement) {
      this.disconnected();
      this.#host = parentNode;
      this.reconnected();
    }
    return this.render(view, page);
  }

  override render(view: TranscriptView, { copied, send }: PageContext): TemplateResult {
    const turn = this.#turn;
    const copy = (): void => {
      if (turn !== undefined) send({ type: 'copyText', what: turnName(turn), text: writeViewTurn(view, turn) });
    };
    const isCopied = turn !== undefined && copied.has(turnName(turn));
    return html`<div class="turn-tools" ?hidden=${turn === undefined}>
      ${renderTool(isCopied ? 'check' : 'copy', t('Copy turn'), copy)}
    </div>`;
  }

  override disconnected(): void {
    this.#host?.removeEventListener('pointerover', this.#point);
    this.#host?.removeEventListener('pointerleave', this.#leave);
    this.#host?.removeEventListener('click', this.#click);
  }

  override reconnected(): void {
    this.#host?.addEventListener('pointerover', this.#point);
    this.#host?.addEventListener('pointerleave', this.#leave);
    this.#host?.addEventListener('click', this.#click);
  }

  readonly #point = ({ target }: PointerEvent): void => {
    if (!(target instanceof Element) || target.closest('.turn-tools') !== null) return;
    const line = target.closest<HTMLElement>('.line.turn');
    this.#show(line === null ? undefined : Number(line.dataset['line']));
    const tools = this.#host?.querySelector<HTMLElement>('.turn-tools');
    if (line === null || this.#host === undefined) return;
    const topPx = line.getBoundingClientRect().top - this.#host.getBoundingClientRect().top;
    tools?.style.setProperty('inset-block-start', `${topPx}px`);
  };

  readonly #leave = (): void => this.#show(undefined);

  readonly #click = ({ target }: MouseEvent): void => {
    const name = target instanceof Element ? target.closest('bdi.named') : null;
    const line = name?.closest<HTMLElement>('.line.turn');
    if (line === null || line === undefined) return;
    const { speaker } = this.#view?.lines[Number(line.dataset['line'])] ?? {};
    if (speaker !== undefined) this.#page?.send({ type: 'renameSpeaker', speaker });
  };

  #show(turn: number | undefined): void {
    if (turn === this.#turn || this.#view === undefined || this.#page === undefined) return;
    this.#turn = turn;
    this.setValue(this.render(this.#view, this.#page));
  }
}

function renderTool(icon: 'copy' | 'check', label: string, press: () => void): TemplateResult {
  return html`<button
    class="icon-button"
    type="button"
    tabindex="-1"
    title=${label}
    aria-label=${label}
    @click=${press}
  >
    ${renderIcon(icon)}
  </button>`;
}

/** Renders the buttons for the turn under the mouse. Must be the last child of the element with the lines. */
export const turnTools = directive(TurnTools);
