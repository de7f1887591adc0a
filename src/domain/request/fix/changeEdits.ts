import type { Change } from '../finding.ts';
import type { RequestFile } from '../requestFile.ts';
import type { JsonPath } from '../json/jsonPlaces.ts';
import { removalEdits } from './removalEdits.ts';
import type { TextEdit } from '../json/textRange.ts';

/**
 * The edits that make some changes of a request, in the hand in which the text is written: indentation, spaces, line breaks
 * and what stands beside a change stay as they are. All changes speak of the text as it is now and none of what another
 * removes. Changes of what is not there are passed over. Wants a text without problems.
 */
export function changeEdits(request: RequestFile, changes: readonly Change[]): readonly TextEdit[] {
  const removed: JsonPath[] = [];
  const edits: TextEdit[] = [];
  for (const change of changes) {
    const row = request.places.rowAt(change.path);
    if (row < 0) continue;
    switch (change.type) {
      case 'replace':
        edits.push({ ...request.places.range(row), text: JSON.stringify(change.value) });
        break;
      case 'rename':
        edits.push({ ...request.places.keyRange(row), text: JSON.stringify(change.name) });
        break;
      case 'remove':
        removed.push(change.path);
        break;
      case 'insertBefore':
        edits.push(insertion(request, row, JSON.stringify(change.name), JSON.stringify(change.value)));
        break;
    }
  }
  return [...edits, ...removalEdits(request, removed)];
}

/** A member before another one, looking like it: on a line of its own if that is, with the same space around the colon. */
function insertion({ text, places }: RequestFile, row: number, name: string, value: string): TextEdit {
  const { offset, length } = places.keyRange(row);
  const colon = /^\s*:[ \t]*$/u.exec(text.slice(offset + length, places.range(row).offset))?.[0] ?? ': ';
  const lineBegin = Math.max(text.lastIndexOf('\n', offset - 1), text.lastIndexOf('\r', offset - 1)) + 1;
  const before = text.slice(lineBegin, offset);
  const ownLine = lineBegin > 0 && before.trim() === '';
  const gap = ownLine ? `${lineBreakBefore(text, lineBegin)}${before}` : colon.endsWith(':') ? '' : ' ';
  return { offset, length: 0, text: `${name}${colon}${value},${gap}` };
}

function lineBreakBefore(text: string, lineBegin: number): string {
  return text.slice(0, lineBegin).endsWith('\r\n') ? '\r\n' : text.charAt(lineBegin - 1);
}
