import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { CopyWhat } from '../../src/domain/protocol.ts';
import type { PageContext } from './pageContext.ts';
import { renderIcon, type IconName } from './renderIcon.ts';

/** What a button shows. */
export interface ButtonFace {
  readonly icon?: IconName | undefined;
  /** Its words, or, where it is only a drawing, its name and its hint. */
  readonly label: string;
  readonly iconOnly?: boolean;
}

/** A button with a drawing, words, or both. */
export function renderButton({ icon, label, iconOnly = false }: ButtonFace, press: () => void): TemplateResult {
  const drawing = icon === undefined ? nothing : renderIcon(icon);
  return iconOnly
    ? html`<button class="icon-button" type="button" title=${label} aria-label=${label} @click=${press}>
        ${drawing}
      </button>`
    : html`<button class="word-button" type="button" @click=${press}>${drawing}${label}</button>`;
}

/** A button that asks the editor for a copy and shows a tick when it is on the clipboard. */
export function renderCopyButton(what: CopyWhat, face: ButtonFace, { copied, send }: PageContext): TemplateResult {
  return renderButton(copied.has(what) ? { ...face, icon: 'check' } : face, () => send({ type: 'copy', what }));
}

/**
 * A button that folds and unfolds what stands at a position.
 * @param label what it is called for those who only hear it; otherwise its words.
 * @param foldable something is there to fold.
 */
export function renderFoldButton(
  words: unknown,
  path: string,
  { unfolding }: PageContext,
  { label, foldable = true }: { readonly label?: string; readonly foldable?: boolean },
): TemplateResult {
  return html`<button
    class="fold"
    type="button"
    aria-label=${label ?? nothing}
    aria-expanded=${foldable ? String(unfolding.isOpen(path)) : nothing}
    ?disabled=${!foldable}
    @click=${() => unfolding.toggle(path)}
  >
    ${renderIcon('chevron')}${words}
  </button>`;
}
