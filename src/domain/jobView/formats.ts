import { t } from '@vscode/l10n';
import { dateTimeMs } from '../time/dateTime.ts';
import type { Format } from './itemField.ts';
import type { ViewMoment, ViewValue } from './jobView.ts';
import { momentText } from './momentText.ts';
import { numberText } from './numberText.ts';
import type { Locale } from './viewFacts.ts';

/** How the values of known fields are shown. */
export interface Formats {
  /** The service's own word. */
  readonly word: Format;
  /** An integer that names something: a version, a code. */
  readonly plainNumber: Format;
  readonly number: Format;
  readonly hertz: Format;
  readonly bits: Format;
  readonly seconds: Format;
  readonly onOff: Format;
  readonly languages: Format;
  readonly moment: Format;
}

export function formatsFor(locale: Locale): Formats {
  const ofNumber =
    (show: (digits: string) => string, grouped = true): Format =>
    (value) =>
      typeof value === 'number' ? words(show(numberText(value, locale, grouped))) : undefined;
  return {
    word: (value) => (typeof value === 'string' ? { type: 'text', text: value, verbatim: true } : undefined),
    plainNumber: ofNumber((digits) => digits, false),
    number: ofNumber((digits) => digits),
    hertz: ofNumber((digits) => t('{0} Hz', digits)),
    bits: ofNumber((digits) => t('{0} bit', digits)),
    seconds: ofNumber((digits) => t('{0} s', digits)),
    onOff: (value) => (typeof value === 'boolean' ? { type: 'switch', on: value } : undefined),
    languages: (value) => {
      if (!Array.isArray(value) || !value.every((each) => typeof each === 'string')) return undefined;
      if (value.length === 0) return words(t('None given: detected'));
      return { type: 'text', text: value.map((code) => languageText(code, locale)).join(', '), verbatim: true };
    },
    moment: (value) => {
      const atMs = typeof value === 'string' ? dateTimeMs(value) : undefined;
      return atMs === undefined ? undefined : { type: 'moment', ...viewMoment(atMs, locale) };
    },
  };
}

export function words(text: string): ViewValue {
  return { type: 'text', text, verbatim: false };
}

export function viewMoment(atMs: number, locale: Locale): ViewMoment {
  return { atMs, absolute: momentText(atMs, locale), iso: new Date(atMs).toISOString() };
}

/** A language's name with its code; the code alone when it names no language that we know. */
function languageText(code: string, { language }: Locale): string {
  try {
    const name = new Intl.DisplayNames(language, { type: 'language', fallback: 'none' }).of(code);
    return name === undefined ? code : t('{0} ({1})', name, code);
  } catch {
    return code;
  }
}
