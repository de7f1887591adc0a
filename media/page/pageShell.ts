import { config, t } from '@vscode/l10n';
import { keyed } from 'lit/directives/keyed.js';
import { render, type TemplateResult } from 'lit/html.js';
import type { Locale } from '../../src/base/format.ts';
import type { ComparedSessions, HostToPage, PageJob, PageToHost } from '../../src/features/details/common/protocol.ts';
import { connectHost, type Host } from './host.ts';
import { Unfolding, type PageContext } from './pageContext.ts';
import { SectionFolds } from './sectionFolds.ts';
import { TranscriptSearch } from './transcriptSearch.ts';

type Content = Exclude<HostToPage, { type: 'hello' }>;

/** Content of a page. */
export interface Shown {
  /** Identifies the content: the same name updates the existing elements, another name replaces them. */
  readonly name: string;
  readonly title: string;
  /** Announced when the elements that had the focus are replaced; the title by default. */
  readonly spoken?: string;
  /** Renders the content; called whenever it or the state of its components changes. */
  readonly render: (page: PageContext) => TemplateResult;
}

const confirmedMs = 2000;

/** Starts a page: reports that it is ready, then passes each message to `receive` with the shell. */
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
 * Shell of all pages. Renders one content from its view and the state of its components whenever either changes (only differences touch
 * the DOM), and keeps that state while the page is hidden and across window reloads.
 */
export class PageShell implements PageContext {
  readonly locale: Locale;
  readonly unfolding: Unfolding;
  readonly sections = new SectionFolds((group, chosen) => {
    if (group !== undefined && chosen !== undefined) this.send({ type: 'foldSections', group, chosen });
    this.#draw();
  });
  readonly search = new TranscriptSearch(() => this.#draw());
  readonly copied = new Set<string>();
  readonly #host: Host;
  readonly #main = document.body.appendChild(document.createElement('main'));
  readonly #announcer = document.body.appendChild(document.createElement('div'));
  #shown: Shown | undefined;
  #job: PageJob | undefined;
  #compared: ComparedSessions | undefined;
  #scrollY: number;

  constructor(host: Host, locale: Locale) {
    this.locale = locale;
    this.#host = host;
    this.#announcer.className = 'announcer';
    this.#announcer.setAttribute('role', 'status');
    const left = host.loadState();
    this.#job = left.job;
    this.#compared = left.compared;
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

  /** Sets the page title and renders its content. If replaced content had the focus, the new heading gets it. */
  show(next: Shown): void {
    document.title = next.title;
    const isNew = this.#shown?.name !== next.name;
    // Another part of the editor that has the focus keeps it.
    const hadFocus = document.hasFocus() && this.#main.contains(document.activeElement);
    this.#shown = next;
    this.#draw();
    if (!isNew) return;
    window.scrollTo(0, this.#scrollY);
    if (!hadFocus) return;
    focusHeading(this.#main);
    this.announce(next.spoken ?? next.title);
  }

  /** Records which job the page shows. Another job starts collapsed and scrolled to the top; the same job restores its state. */
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

  /** Records which sessions the page compares. */
  compares(sessions: ComparedSessions): void {
    this.#compared = sessions;
    this.#save();
  }

  /** Announces a sentence to screen readers. */
  announce(sentence: string): void {
    this.#announcer.textContent = sentence;
  }

  /** Shows a brief confirmation on the buttons that requested a copy. Call it when the editor has copied. */
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
    const { open: unfolded } = this.unfolding;
    this.#host.saveState({ job: this.#job, compared: this.#compared, unfolded, scrollY: this.#scrollY });
  }
}

/** Moves the focus to the heading of new content, after the focused element was removed. */
function focusHeading(root: HTMLElement): void {
  const heading = root.querySelector('h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
