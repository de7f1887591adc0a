import { t } from '@vscode/l10n';
import type { ParameterError } from './parameterError.ts';

/** The sentence for users: which parameter, and what to do. */
export function parameterText({ parameter, problem }: ParameterError): string {
  switch (problem) {
    case 'notAnOffset':
      return t('{0} must be a whole number, 0 or more.', parameter);
    case 'notALimit':
      return t('{0} must be a whole number, 1 or more.', parameter);
    case 'notADate':
      return t('{0} must be a day that exists, written like 2026-02-28.', parameter);
    case 'notADateTime':
      return t(
        '{0} must be a date and time that exist, with a time zone, written like 2026-02-28T13:45:00Z.',
        parameter,
      );
    case 'nestedMetadata':
      return t(
        '{0} holds a list, an object or null, which this connection cannot send. Choose the metadata format "json" for it, or filter by plain values.',
        parameter,
      );
    case 'emptyMetadata':
      return t('{0} has a metadata key without a name. Give the key a name.', parameter);
    case 'unwritableMetadata':
      return t(
        '{0} has characters that this connection cannot send. Choose the metadata format "json" for it, or use a key without square brackets.',
        parameter,
      );
  }
}
