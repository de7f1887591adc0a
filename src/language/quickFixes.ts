import { t } from '@vscode/l10n';
import {
  chooseFix,
  chooseSafeFix,
  convertToObjects,
  convertToStrings,
  fixAll,
  makeChangeEdits,
  type FixedRequest,
} from './edits.ts';
import type { Change, Finding, Fix } from './request/finding.ts';
import { findNode } from './json/jsonTree.ts';
import type { TextEdit, TextRange } from './json/textEdit.ts';
import { paths } from './request/requestFields.ts';
import { placeRange, type RequestFile } from './request/requestFile.ts';

/** How a request is checked again while its fixes are applied. */
export interface Recheck {
  /** Must be deterministic. */
  readonly check: (request: RequestFile) => readonly Finding[];
  /** Maximum number of characters to check in all rounds; unlimited if omitted. */
  readonly maxChecked?: number;
}

/** A change that is offered at a place in a request. */
export interface OfferedChange {
  /** Localised. */
  readonly title: string;
  readonly kind: 'fix' | 'rewrite';
  /** Finding that the change fixes; undefined if it fixes several, or none. */
  readonly finding: Finding | undefined;
  readonly isPreferred: boolean;
  /** See {@link Fix.fillIn}. */
  readonly fillIn?: string;
  /** Calculates the edits for the current text when the change is selected, because Fix All may take long. */
  readonly editsOf: (request: RequestFile) => readonly TextEdit[];
}

/** Offers the fixes at a selection: individually, all of a kind, all in the request. None while there are syntax errors. */
export function offerFixes(
  request: RequestFile,
  findings: readonly Finding[],
  selected: TextRange,
  recheck: Recheck,
): readonly OfferedChange[] {
  // Places are unreliable while the text has syntax errors.
  if (request.problems.length > 0) return [];
  const here = findings.filter(({ place, fixes }) => fixes && touches(placeRange(request, place), selected));
  if (here.length === 0) return [];
  const fixable = findings.filter(chooseFix);
  const codes = [...new Set(here.map(({ code }) => code))];
  return [
    ...here.flatMap(fixesOf),
    ...codes
      .filter((code) => fixable.filter((each) => each.code === code).length > 1)
      .map((code) =>
        fixesOfAll(t('Fix all {0} problems', code), recheck, (finding) =>
          finding.code === code ? chooseFix(finding) : undefined,
        ),
      ),
    ...(fixable.length > 1 ? [fixesOfAll(t('Fix all that can be fixed in this request'), recheck, chooseFix)] : []),
  ];
}

/** Applies all safe fixes, as on save. */
export function fixSafely(request: RequestFile, { check, maxChecked }: Recheck): FixedRequest {
  return fixAll(request, check, chooseSafeFix, maxChecked);
}

/** Returns the title of the fix on save. */
export function safeFixTitle(): string {
  return t('Fix what is safe to fix in this request');
}

function fixesOf(finding: Finding): readonly OfferedChange[] {
  return (finding.fixes ?? []).map(({ title, changes, isChoice, fillIn }, index) => ({
    title,
    kind: 'fix',
    finding,
    isPreferred: index === 0 && isChoice !== true,
    ...(fillIn !== undefined && { fillIn }),
    editsOf: (request) => makeChangeEdits(request, changes),
  }));
}

function fixesOfAll(
  title: string,
  { check, maxChecked }: Recheck,
  choose: (finding: Finding) => Fix | undefined,
): OfferedChange {
  return {
    title,
    kind: 'fix',
    finding: undefined,
    isPreferred: false,
    editsOf: (request) => fixAll(request, check, choose, maxChecked).edits,
  };
}

/** Offers to convert terms between their two notations if the selection is in the vocabulary: the selected terms, or all. */
export function offerConversions(request: RequestFile, selected: TextRange): readonly OfferedChange[] {
  const { root, body, problems } = request;
  const list = problems.length > 0 ? undefined : findNode(root, paths.vocabulary);
  if (!list || !touches(list, selected)) return [];
  const chosen = list.children.flatMap((child, index) => (touches(child, selected) ? [index] : []));
  const forms = [
    {
      convert: convertToObjects,
      one: t('Convert to a term with pronunciations'),
      all: t('Convert all plain terms to terms with pronunciations'),
    },
    {
      convert: convertToStrings,
      one: t('Convert to a plain term'),
      all: t('Convert all terms without pronunciations to plain terms'),
    },
  ];
  return forms.flatMap(({ convert, one, all }) => [
    ...(isAny(convert(body, chosen)) ? [conversion(one, (now) => convert(now.body, chosen))] : []),
    ...(isAny(convert(body)) ? [conversion(all, (now) => convert(now.body))] : []),
  ]);
}

/** True if there is at least one element. */
function isAny(elements: Iterable<unknown>): boolean {
  for (const _element of elements) return true;
  return false;
}

function conversion(title: string, changesOf: (request: RequestFile) => Iterable<Change>): OfferedChange {
  return {
    title,
    kind: 'rewrite',
    finding: undefined,
    isPreferred: false,
    editsOf: (request) => makeChangeEdits(request, changesOf(request)),
  };
}

/** True if two ranges overlap or touch. */
function touches(one: TextRange, other: TextRange): boolean {
  return one.offset <= other.offset + other.length && other.offset <= one.offset + one.length;
}
