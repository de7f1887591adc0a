import { t } from '@vscode/l10n';
import { bad, good, type CheckedText } from './checkedText.ts';

/** The built-in connection to the sample service. No connection of the user's may have this name. */
export const sampleName = 'Sample';

const longestName = 100;

/**
 * Reads the name of a connection.
 * @param others names of the other connections, told apart by {@link sameName}.
 */
export function checkConnectionName(written: string, others: readonly string[]): CheckedText {
  const name = written.trim().normalize();
  if (name === '') return bad(t('Enter a name for the connection.'));
  if (name.length > longestName) return bad(t('A name has at most {0} characters.', longestName));
  if (/\p{Cc}/u.test(name)) return bad(t('A name is one line of text.'));
  if (sameName(name, sampleName)) return bad(t('{0} is the sample service. Choose another name.', sampleName));
  if (others.some((other) => sameName(name, other))) {
    return bad(t('There already is a connection called {0}. Choose another name.', name));
  }
  return good(name);
}

/** Whether two names are one to their readers: upper and lower case count as the same. */
export function sameName(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase();
}
