import { config, t } from '@vscode/l10n';
import { keyed } from 'lit/directives/keyed.js';
import { render, type TemplateResult } from 'lit/html.js';
import type { Locale } from '../../src/domain/format.ts';
import type { HostToPage, PageJob, PageToHost } from '../../src/domain/protocol.ts';
import { connectHost, type Host } from './host.ts';
import { Unfolding, type PageContext } from './pageContext.ts';
import { TranscriptSearch } from './result/transcriptSearch.ts';

type Content = Exclude<HostToPage, { type: 'hello' }>;

/** What a page is to show. */
export interface Shown {
  /** Tells one content from the next: the same name is drawn into the elements that are there, another one gets new elements. */
  readonly name: string;
  readonly title: string;
  /** Read out when new elements take the place of those that had the focus; otherwise the title. */
  readonly spoken?: string;
  /** Draws it, at every change: of what is shown, and of what components keep in the context. */
  readonly render: (page: PageContext) => TemplateResult;
}

const confirmedMs = 2000;

/** Starts a page: says hello, then passes on every message with the shell. */
export function startPage(receive: (message: Content, shell: PageShell) => void): void {
  let shell: PageShell | undefined;
  const host = connectHost((message) => {
    if (message.type === 'hello') {
      config({ contents: { ...message.strings } });
      shell ??= new PageShell(host, { language: message.language, timeZone: undefined });
    } else if (shell !== undefined) receive(message, shell);
  });
}

/**
 * What every page has: one content, drawn whole from its view and the state of its components whenever either changes, which touches
 * only what differs; and that state across being hidden and window reloads.
 */
export class PageShell implements PageContext {
  readonly locale: Locale;
  readonly unfolding: Unfolding;
  readonly search = new TranscriptSearch(() => this.#draw());
  readonly copied = new Set<string>();
  readonly #host: Host;
  readonly #main = document.body.appendChild(document.createElement('main'));
  readonly #announcer = document.body.appendChild(document.createElement('div'));
  #shown: Shown | undefined;
  #job: PageJob | undefined;
  #scrollY: number;

  constructor(host: Host, locale: Locale) {
    this.locale = locale;
    this.#host = host;
    this.#announcer.className = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    const left = host.loadState();
    this.#job = left.job;
    this.#scrollY = left.scrollY;
    this.unfolding = new Unfolding(left.unfolded, () => {
      this.#save();
      this.#draw();
    });
    document.addEventListener('scrollend', () => {
      this.#scrollY = window.scrollY;
      this.#save();
    });
  }

  readonly send = (message: PageToHost): void => this.#host.send(message);

  /** Names the page and draws its content. If the focus was in a content of another name, it goes to the new heading. */
  show(next: Shown): void {
    document.title = next.title;
    const isNew = this.#shown?.name !== next.name;
    // Another part of the editor may have the focus by now, and keeps it.
    const hadFocus = document.hasFocus() && this.#main.contains(document.activeElement);
    this.#shown = next;
    this.#draw();
    if (!isNew) return;
    window.scrollTo(0, this.#scrollY);
    if (!hadFocus) return;
    focusHeading(this.#main);
    this.announce(next.spoken ?? next.title);
  }

  /** Remembers whose page this is. Another job starts folded and at the top; the same comes back as it was left. */
  belongsTo(next: PageJob): void {
    const same = this.#job?.connection === next.connection && this.#job.kind === next.kind && this.#job.id === next.id;
    this.#job = next;
    if (!same) {
      this.#scrollY = 0;
      this.unfolding.clear();
      this.search.clear();
    }
    this.#save();
  }

  /** Reads a sentence to those who do not see the change. */
  announce(sentence: string): void {
    this.#announcer.textContent = sentence;
  }

  /** The editor has copied: the buttons that asked for it show it for a moment. */
  confirmCopied(what: string): void {
    this.announce(t('Copied'));
    this.copied.add(what);
    this.#draw();
    setTimeout(() => {
      this.copied.delete(what);
      this.#draw();
    }, confirmedMs);
  }

  #draw(): void {
    if (this.#shown !== undefined) render(keyed(this.#shown.name, this.#shown.render(this)), this.#main);
  }

  #save(): void {
    this.#host.saveState({ job: this.#job, unfolded: this.unfolding.open, scrollY: this.#scrollY });
  }
}

/** The button that had the focus is gone: what takes its place begins with a heading. */
function focusHeading(root: HTMLElement): void {
  const heading = root.querySelector('h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
