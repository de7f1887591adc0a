import { t } from '@vscode/l10n';
import type { JsonObject } from '../../base/json/json.ts';
import { valuePlace } from '../request/requestFile.ts';
import { arrayIn, booleanIn, integerIn, objectIn, paths } from '../request/requestFields.ts';
import { findRepetitions } from './repetitions.ts';
import type { Hit, Rule } from '../request/finding.ts';

/** Contract 8. */
const recommendedSizes = { maximum_characters_per_row: 42, maximum_rows_per_caption: 2 } as const;
type Size = keyof typeof recommendedSizes;

const rowLength: Rule = {
  code: 'subtitles/row-length',
  severity: 'info',
  source: 'contract 8',
  explain: () => t('Rows of at most 42 characters are recommended.'),
  check: ({ body }) =>
    aboutSize(
      body,
      'maximum_characters_per_row',
      (size) => size > 42,
      () => t('Rows of at most 42 characters are recommended.'),
    ),
};

const rows: Rule = {
  code: 'subtitles/rows',
  severity: 'info',
  source: 'contract 8',
  explain: () => t('2 rows per caption are recommended.'),
  check: ({ body }) =>
    aboutSize(
      body,
      'maximum_rows_per_caption',
      (size) => size >= 1 && size !== 2,
      () => t('2 rows per caption are recommended.'),
    ),
};

export const impossibleSize: Rule = {
  code: 'subtitles/impossible-size',
  severity: 'warning',
  source: 'request',
  explain: () => t('A caption has at least one row, and a row at least one character.'),
  *check({ body }) {
    const impossible = (size: number) => size < 1;
    yield* aboutSize(body, 'maximum_characters_per_row', impossible, () => t('A row has at least one character.'));
    yield* aboutSize(body, 'maximum_rows_per_caption', impossible, () => t('A caption has at least one row.'));
  },
};

const noFormats: Rule = {
  code: 'subtitles/no-formats',
  severity: 'warning',
  source: 'request',
  explain: () => t('No subtitle format is set.'),
  *check({ body }) {
    if (booleanIn(body, 'subtitles') !== true || formatsOf(body)?.length !== 0) return;
    yield {
      message: t('subtitles is on, but no format is set.'),
      place: valuePlace(...paths.formats),
      fixes: [
        { title: t('Write "srt"'), changes: [{ type: 'replace', path: paths.formats, value: ['srt'] }], safe: false },
      ],
    };
  },
};

const duplicateFormat: Rule = {
  code: 'subtitles/duplicate-format',
  severity: 'warning',
  source: 'request',
  explain: () => t('Duplicate formats have no effect.'),
  *check({ body }) {
    const keyOf = (format: unknown) => (typeof format === 'string' ? format : undefined);
    for (const { index, firstIndex, element } of findRepetitions(formatsOf(body) ?? [], keyOf)) {
      const path = [...paths.formats, index];
      yield {
        message: t('"{0}" is already in the list.', String(element)),
        place: valuePlace(...path),
        related: [{ place: valuePlace(...paths.formats, firstIndex), message: t('Listed here') }],
        fixes: [{ title: t('Remove "{0}"', String(element)), changes: [{ type: 'remove', path }], safe: true }],
      };
    }
  },
};

export const subtitleRules: readonly Rule[] = [rowLength, rows, impossibleSize, noFormats, duplicateFormat];

function formatsOf(body: JsonObject): readonly unknown[] | undefined {
  return arrayIn(objectIn(body, 'subtitles_config'), 'formats');
}

function* aboutSize(
  body: JsonObject,
  name: Size,
  isWrong: (size: number) => boolean,
  message: () => string,
): Generator<Hit, void, undefined> {
  const size = integerIn(objectIn(body, 'subtitles_config'), name);
  if (size === undefined || !isWrong(size)) return;
  const path = ['subtitles_config', name];
  const value = recommendedSizes[name];
  yield {
    message: message(),
    place: valuePlace(...path),
    fixes: [{ title: t('Change to {0}', value), changes: [{ type: 'replace', path, value }], safe: false }],
  };
}
