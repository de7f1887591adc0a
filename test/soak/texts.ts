import { config } from '@vscode/l10n';
import englishMessages from '../../l10n/bundle.l10n.json' with { type: 'json' };
import frenchMessages from '../../l10n/bundle.l10n.fr.json' with { type: 'json' };
import englishTitles from '../../package.nls.json' with { type: 'json' };
import frenchTitles from '../../package.nls.fr.json' with { type: 'json' };

/** A display language that the extension has. */
export type Language = 'en' | 'fr';
/** An English message of the code, as exported; for a message with a comment, both: `Done/one job`. */
export type MessageKey = keyof typeof englishMessages;
/** A key of `package.nls.json`. */
export type TitleKey = keyof typeof englishTitles;

type Strings = Readonly<Record<string, string | { readonly message: string }>>;

const messages: Readonly<Record<Language, Strings>> = {
  en: englishMessages,
  fr: frenchMessages satisfies Readonly<Record<string, string>>,
};
const titles: Readonly<Record<Language, Strings>> = { en: englishTitles, fr: frenchTitles };

/**
 * The extension's texts in one language, found by their keys: the type check fails when a text is reworded, and new translations need no
 * changes.
 */
export class Texts {
  readonly language: Language;

  constructor(language: Language) {
    this.language = language;
  }

  /** Returns a text of the code, with its placeholders. */
  message(key: MessageKey): string {
    return textIn(messages, this.language, key);
  }

  /** Returns a text of the manifest. */
  title(key: TitleKey): string {
    return textIn(titles, this.language, key);
  }

  /** Returns a command as the palette shows it. */
  command(key: TitleKey): string {
    return `${this.title('category')}: ${this.title(key)}`;
  }

  /** Returns the label of a button in a welcome text, by the command that it runs. */
  button(key: TitleKey, command: string): string {
    const buttons = [...this.title(key).matchAll(/\[([^\]]+)\]\(command:([\w.]+)\)/g)];
    return buttons.find(([, , each]) => each === command)?.[1] ?? '';
  }

  /**
   * Returns the source of a regular expression for a text. Matches any white space, because the browser's differs from that of the files.
   * @param value source for the placeholders
   */
  pattern(key: MessageKey, value = '.*'): string {
    return sourceOf(this.message(key)).replaceAll(/\\\{\d+\\\}/g, value);
  }

  /** Finds texts that begin with one of these. */
  start(...keys: readonly MessageKey[]): RegExp {
    return new RegExp(`^\\s*${this.#any(keys)}`, 'iu');
  }

  /** Finds texts that are one of these. */
  whole(...keys: readonly MessageKey[]): RegExp {
    return new RegExp(`^\\s*${this.#any(keys)}\\s*$`, 'iu');
  }

  /** Finds texts that contain one of these. */
  part(...keys: readonly MessageKey[]): RegExp {
    return new RegExp(this.#any(keys), 'iu');
  }

  /** Runs `body` with the code's messages in this language, in this process. */
  speaking<T>(body: () => T): T {
    if (this.language === 'en') return body();
    config({ contents: frenchMessages });
    try {
      return body();
    } finally {
      config({ contents: {} });
    }
  }

  #any(keys: readonly MessageKey[]): string {
    return `(?:${keys.map((key) => this.pattern(key)).join('|')})`;
  }
}

/** In all languages. */
export const allTexts: readonly Texts[] = [new Texts('en'), new Texts('fr')];

/** Returns a text in a language. As in the editor, a text without a translation is English. */
function textIn(strings: Readonly<Record<Language, Strings>>, language: Language, key: string): string {
  const text = strings[language][key] ?? strings.en[key] ?? '';
  return typeof text === 'string' ? text : text.message;
}

/** Returns the source of a regular expression for exactly this text, except for its white space. */
export function sourceOf(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`).replaceAll(/\s+/g, String.raw`\s+`);
}

/** Returns the beginning of the id of a job whose row has this accessible name; undefined for other rows. */
export function shortIdOf(name: string, texts: Texts): string | undefined {
  return new RegExp(`^${texts.pattern('job {0}', '([^,]+)')}`, 'u').exec(name)?.[1];
}
