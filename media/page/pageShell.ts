import { config } from '@vscode/l10n';
import type { HostToPage, PageJob } from '../../src/domain/protocol.ts';
import { Folds } from './folds.ts';
import { connectHost } from './host.ts';
import type { PageContext } from './pageContext.ts';
import { Ticker } from './ticker.ts';

type Content = Exclude<HostToPage, { type: 'hello' }>;

/** What every page has: its place on screen, what its parts need, and its state across being hidden and window reloads. */
export interface PageShell {
  readonly context: PageContext;
  /**
   * Names the page and puts a new root on it; the one that is there stays where it is. If the focus was in the former one, it goes to the
   * new heading, and `spoken` is read out.
   */
  show(root: HTMLElement, title: string, spoken?: string): void;
  /** Remembers whose page this is. Another job starts folded and at the top; the same comes back as it was left. */
  belongsTo(job: PageJob): void;
}

/** Starts a page: says hello, then passes on every message with the shell. */
export function startPage(receive: (message: Content, shell: PageShell) => void): void {
  let shell: PageShell | undefined;
  const host = connectHost((message) => {
    if (message.type === 'hello') shell ??= makeShell(message.language, message.strings);
    else if (shell !== undefined) receive(message, shell);
  });

  function makeShell(language: string, strings: Readonly<Record<string, string>>): PageShell {
    config({ contents: { ...strings } });
    const main = document.body.appendChild(document.createElement('main'));
    const announcer = document.body.appendChild(document.createElement('div'));
    announcer.className = 'announcer';
    announcer.setAttribute('role', 'status');

    const left = host.loadState();
    let job = left.job;
    let scrollY = left.scrollY;
    const save = (): void => host.saveState({ job, unfolded: folds.list(), scrollY });
    const folds = new Folds(left.unfolded, save);
    document.addEventListener('scrollend', () => {
      scrollY = window.scrollY;
      save();
    });
    const announce = (sentence: string): void => {
      announcer.textContent = sentence;
    };
    return {
      context: {
        send: (message) => host.send(message),
        folds,
        ticker: new Ticker(),
        locale: { language, timeZone: undefined },
        announce,
      },
      show: (root, title, spoken = title) => {
        document.title = title;
        if (root.parentElement === main) return;
        // Another part of the editor may have the focus by now, and keeps it.
        const hadFocus = document.hasFocus() && main.contains(document.activeElement);
        main.replaceChildren(root);
        window.scrollTo(0, scrollY);
        if (!hadFocus) return;
        focusHeading(root);
        announce(spoken);
      },
      belongsTo: (next) => {
        const same = job?.connection === next.connection && job.kind === next.kind && job.id === next.id;
        job = next;
        if (!same) scrollY = 0;
        if (same) save();
        else folds.clear();
      },
    };
  }
}

/** The button that had the focus is gone: what takes its place begins with a heading. */
function focusHeading(root: HTMLElement): void {
  const heading = root.querySelector('h1');
  if (heading === null) return;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
}
