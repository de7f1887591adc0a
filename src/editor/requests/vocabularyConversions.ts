import * as vscode from 'vscode';
import type { Change } from '../../domain/request/finding.ts';
import { termsAsObjects, termsAsStrings } from '../../domain/request/edits.ts';
import type { TextRange } from '../../domain/request/json/jsonPlaces.ts';
import type { RequestFile } from '../../domain/request/requestFile.ts';
import { paths } from '../../domain/request/requestFields.ts';

/** A way to write terms differently without saying anything else. */
export interface VocabularyConversion {
  readonly title: string;
  readonly changesOf: (request: RequestFile) => readonly Change[];
}

/** The conversions that a selection within the vocabulary allows: of the terms in it, and of all. */
export function vocabularyConversions(request: RequestFile, selected: TextRange): readonly VocabularyConversion[] {
  const { l10n } = vscode;
  const { places, body } = request;
  const row = places.rowAt(paths.vocabulary);
  if (row < 0 || !intersects(places.range(row), selected)) return [];
  const chosen = places
    .children(row)
    .flatMap((child, index) => (intersects(places.range(child), selected) ? [index] : []));
  const forms = [
    {
      convert: termsAsObjects,
      one: l10n.t('Convert to a term with pronunciations'),
      all: l10n.t('Convert all plain terms to terms with pronunciations'),
    },
    {
      convert: termsAsStrings,
      one: l10n.t('Convert to a plain term'),
      all: l10n.t('Convert all terms without pronunciations to plain terms'),
    },
  ];
  return forms.flatMap(({ convert, one, all }) => [
    ...(convert(body, chosen).length > 0
      ? [{ title: one, changesOf: (now: RequestFile) => convert(now.body, chosen) }]
      : []),
    ...(convert(body).length > 0 ? [{ title: all, changesOf: (now: RequestFile) => convert(now.body) }] : []),
  ]);
}

function intersects(one: TextRange, other: TextRange): boolean {
  return one.offset <= other.offset + other.length && other.offset <= one.offset + one.length;
}
