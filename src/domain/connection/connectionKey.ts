import { t } from '@vscode/l10n';
import { bad, good, type CheckedText } from './checkedText.ts';

/** Longer than any key, shorter than what servers take for all headers together. */
const longestKey = 4096;

/** Reads an API key as it was pasted. The sentences never repeat any of it. */
export function checkApiKey(written: string): CheckedText {
  const key = written.trim();
  if (key === '') return bad(t('Enter the API key.'));
  if (/[\r\n]/.test(key)) return bad(t('The API key goes over several lines. Paste it as one line.'));
  if (/\s/.test(key)) return bad(t('The API key has a space in it. Paste the key alone, without words around it.'));
  if (!/^[\x21-\x7e]+$/.test(key)) {
    return bad(
      t('The API key has characters that a header cannot carry. Copy it again from where the service shows it.'),
    );
  }
  if (key.length > longestKey) return bad(t('This is too long for an API key. Paste the key alone.'));
  return good(key);
}
