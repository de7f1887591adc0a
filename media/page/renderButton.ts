import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { CopyWhat } from '../../src/jobs/common/job.ts';
import type { PageContext } from './pageContext.ts';
import { renderIcon, type IconName } from './renderIcon.ts';

/** Label and icon of a button. */
export interface ButtonFace {
  readonly icon?: IconName | undefined;
  /** Visible label, or, for an icon-only button, its accessible name and tooltip. */
  readonly label: string;
  readonly iconOnly?: boolean;
  /** ID of an element that describes the button; only for a button with a visible label. */
  readonly describedBy?: string | undefined;
}

/** Renders a button with an icon, a label, or both. */
export function renderButton(
  { icon, label, iconOnly = false, describedBy }: ButtonFace,
  press: () => void,
): TemplateResult {
  const drawing = icon === undefined ? nothing : renderIcon(icon);
  return iconOnly
    ? html`<button class="icon-button" type="button" title=${label} aria-label=${label} @click=${press}>
        ${drawing}
      </button>`
    : html`<button class="word-button" type="button" aria-describedby=${describedBy ?? nothing} @click=${press}>
        ${drawing}${label}
      </button>`;
}

/** Renders a button that makes the editor copy something and then shows a tick. */
export function renderCopyButton(what: CopyWhat, face: ButtonFace, { copied, send }: PageContext): TemplateResult {
  return renderButton(copied.has(what) ? { ...face, icon: 'check' } : face, () => send({ type: 'copy', what }));
}

/**
 * Renders a button that expands and collapses the content at a position.
 * @param label accessible name; the visible text by default.
 * @param foldable true if there is content to fold.
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
