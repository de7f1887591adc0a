import { t } from '@vscode/l10n';
import { wholeItemShape } from '../jobShape.ts';
import { memberTexts } from '../jsonText/jsonText.ts';
import type { RecordShape } from '../shape.ts';
import type { ViewRow, ViewSection } from './jobView.ts';
import { plainSection } from './plainSection.ts';

/** What an item holds beyond the contract (2.2, 2.3), under its own dotted names; undefined when there is nothing. */
export function otherFieldsSection(itemText: string): ViewSection | undefined {
  const rows = leftovers(itemText, wholeItemShape, '');
  return rows.length === 0 ? undefined : plainSection('other', t('Other fields'), rows);
}

/** Rows for the unknown members of an object, and for what stands where an object with known fields should stand. */
export function leftovers(objectText: string, shape: RecordShape, prefix: string): ViewRow[] {
  const lastOfEach = new Map(memberTexts(objectText).map(({ key, text }) => [key, text]));
  return [...lastOfEach].flatMap(([key, json]) => {
    const expected = Object.hasOwn(shape, key) ? shape[key] : undefined;
    const id = `${prefix}${key}`;
    const row = { id, label: id, named: true, value: { type: 'json', json }, action: undefined } as const;
    if (expected === undefined) return [{ ...row, remark: undefined }];
    if (typeof expected !== 'object' || json === 'null') return [];
    if (json.startsWith('{')) return leftovers(json, expected, `${id}.`);
    return [{ ...row, remark: t('Not the expected type') }];
  });
}
