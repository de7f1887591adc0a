import type { Locale } from '../base/format.ts';
import type { ServiceKnowledge } from '../known/serviceKnowledge.ts';
import { checkRequest, checkRules, gateRequest, reportFindings, type GateResult, type RuleLevels } from './check.ts';
import type { FixedRequest } from './edits.ts';
import type { EffectPart } from './effect.ts';
import { explainTopic } from './explainTopic.ts';
import { isUnreadable } from './json/jsonTree.ts';
import type { TextRange } from './json/textEdit.ts';
import { understandPaste } from './pasted.ts';
import { fixSafely, offerConversions, offerFixes, type OfferedChange } from './quickFixes.ts';
import type { Finding, LinkNeed, RuleContext } from './request/finding.ts';
import { findSyntaxErrors, findTooLong, findWrongValues, type SchemaCheck } from './request/jsonFindings.ts';
import { makeLanguageNamer } from './request/languages.ts';
import { parseForEditor, parseRequest, type RequestFile } from './request/requestFile.ts';
import { effectOf } from './requestReport.ts';
import { findLanguageAt, suggestAt, type KeySuggestion, type NamedLanguage, type Suggestions } from './suggestions.ts';

// What features use besides the language itself. They import nothing else of this folder, except its adapters in `editor/`.
export { confirmationLevels, findUnknownRuleCodes, type GateResult, type RuleLevels } from './check.ts';
export { findNode, parseJsonTree, stripExtras, type JsonNode } from './json/jsonTree.ts';
export { applyEdits, type TextEdit, type TextRange } from './json/textEdit.ts';
export type { UnderstoodPaste } from './pasted.ts';
export { safeFixTitle, type OfferedChange } from './quickFixes.ts';
export { formatTextReport, locateFindings } from './report.ts';
export type { Finding, LinkNeed, Severity } from './request/finding.ts';
export { isTooLong } from './request/jsonFindings.ts';
export { settingsOfRenamed } from './request/renamedSettings.ts';
export { objectIn, stringIn } from './request/requestFields.ts';
export {
  bodyToSend,
  maxEditorValues,
  parseForEditor,
  placeRange,
  valuePlace,
  type RequestFile,
} from './request/requestFile.ts';
export { findField } from './request/schemaFields.ts';
export { GrowingRequest } from './request/settingChanges.ts';
export { requestGlob } from './requestGlob.ts';
export { readLinkExpiry } from './rules/audioLinks.ts';
export { httpUrl, isKnownToFail, lacksAudio, notHttp } from './rules/audioUrl.ts';
export type { KeySuggestion, Suggestion } from './suggestions.ts';

/** Maximum number of findings per rule in editors, which hundreds of thousands would block. VS Code shows 1000 per file in total. */
export const maxEditorFindings = 500;

/** Maximum number of findings per rule that an editor fixes at once, and of characters that it checks meanwhile. */
const maxFixedFindings = 1000;
const maxCheckedLength = 300_000;

/** Input of the request language. Functions are called at each use, because settings, connection and time change. */
export interface LanguageInput {
  /** The compiled schema of requests. */
  readonly schema: SchemaCheck;
  /** Returns the current time in milliseconds since the epoch. */
  readonly now: () => number;
  /** Returns the known limits of the service in use. */
  readonly knowledge: () => ServiceKnowledge | undefined;
  /** Returns the levels that override the rules' own severities. */
  readonly rules?: () => RuleLevels;
  /** Returns the required lifetime of a signed link. */
  readonly linkNeed?: () => LinkNeed | undefined;
  /** Format of times in messages; undefined if programs read them too: ISO 8601. */
  readonly locale?: Locale;
  /** Language in which languages are named; English if omitted or unknown. */
  readonly language?: () => string | undefined;
  /** Maximum number of findings per rule; unlimited if omitted. */
  readonly maxFindings?: number;
}

/** What editor, command, server and browser know about request files. Pure, except for the functions of the input. */
export type RequestLanguage = ReturnType<typeof createRequestLanguage>;

/** Creates the request language of one host. Everything else in this folder stands behind it. */
export function createRequestLanguage({ schema, now, knowledge, linkNeed, locale, ...input }: LanguageInput) {
  const context = (): RuleContext => ({
    nowMs: now(),
    knowledge: knowledge(),
    ...(linkNeed && { linkNeed }),
    ...(locale && { locale }),
  });
  const options = () => ({
    ...(input.rules && { levels: input.rules() }),
    ...(input.maxFindings !== undefined && { limit: input.maxFindings }),
  });
  let namer: ((code: string) => string) | undefined;
  /** Created on first use, because it reads the names of all languages. */
  const nameOf = (): ((code: string) => string) => (namer ??= makeNamer(input.language?.()));
  /** Checks syntax, types and rules. Returns the findings in text order. */
  const check = (request: RequestFile): readonly Finding[] => checkRequest(request, schema, context(), options());
  // Many findings at once and few rounds: an editor waits for the edits.
  const recheck =
    input.maxFindings === undefined
      ? { check }
      : {
          check: (request: RequestFile) =>
            checkRequest(request, schema, context(), { ...options(), limit: maxFixedFindings }),
          maxChecked: maxCheckedLength,
        };
  return {
    parse: parseRequest,

    /** Parses a text for VS Code; a very long one stays unread, and its only finding says so. */
    parseForEditor,

    check,

    /** Checks what the editor's JSON service does not report: types, closed sets of values and rules. */
    checkBeyondSyntax: (request: RequestFile): readonly Finding[] => {
      const unread = findTooLong(request, locale);
      if (unread) return [unread];
      // The JSON service reads such texts, and reports nothing.
      if (isUnreadable(request)) return reportFindings(request, findSyntaxErrors(request));
      return reportFindings(request, [
        ...findWrongValues(request, schema, knowledge(), input.maxFindings),
        ...checkRules(request, context(), options()),
      ]);
    },

    /** Decides whether a text may be sent, and returns the body to send. Never throws. */
    gate: (text: string): GateResult => gateRequest(text, schema, context(), options()),

    /** Applies all safe fixes; in a large request of an editor, the first ones. */
    fix: (request: RequestFile): FixedRequest => fixSafely(request, recheck),

    /** Offers changes at a selection: fixes of the findings there, and conversions of the vocabulary. */
    offerChanges: (
      request: RequestFile,
      findings: readonly Finding[],
      selected: TextRange,
    ): readonly OfferedChange[] => [
      ...offerFixes(request, findings, selected, recheck),
      ...offerConversions(request, selected),
    ],

    /**
     * Completes language codes and metadata; undefined where only the schema has suggestions.
     * @param metadata returns the metadata of known jobs; called only within metadata
     */
    complete: (
      request: RequestFile,
      offset: number,
      metadata: () => readonly KeySuggestion[] = () => [],
    ): Suggestions | undefined => suggestAt(request, offset, { metadata, nameOf: nameOf() }),

    /** Returns the language whose code is at an offset. The schema explains fields. */
    hover: (request: RequestFile, offset: number): NamedLanguage | undefined =>
      findLanguageAt(request, offset, nameOf()),

    /** Describes what the service would do, in plain words. */
    effect: (request: RequestFile): readonly EffectPart[] => effectOf(request, knowledge()),

    /** Explains a topic of the effect or a rule in Markdown; undefined for other ids. */
    explain: explainTopic,

    /** Interprets a text that is pasted over a selection; undefined to paste it unchanged. */
    paste: understandPaste,
  };
}

function makeNamer(language = 'en'): (code: string) => string {
  try {
    return makeLanguageNamer(language);
  } catch {
    return makeLanguageNamer('en');
  }
}
