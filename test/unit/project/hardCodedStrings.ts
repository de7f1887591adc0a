import { SyntaxKind, type Node, type SourceFile } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isAsExpression,
  isBinaryExpression,
  isCallExpression,
  isConditionalExpression,
  isIdentifier,
  isNewExpression,
  isNoSubstitutionTemplateLiteral,
  isParenthesizedExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isStringLiteral,
  isTaggedTemplateExpression,
  isTemplateExpression,
  isTemplateSpan,
} from 'typescript/unstable/ast/is';
import { translatedMessage } from '../../support/l10n/translatedMessages.ts';

type Reader = 'user' | 'engineer' | 'unknown';

/** The readers of properties by name, in the editor's APIs, the pages' elements and our own interfaces. */
const propertyReaders = readers({
  user: `label description detail tooltip title placeHolder placeholder prompt message heading openLabel saveLabel
    validationMessage accessibilityInformation ariaLabel text textContent innerText alt`,
  engineer: 'cause class className contextValue',
});

/** The readers of arguments by name of the function or class. */
const argumentReaders = readers({
  user: `showInformationMessage showWarningMessage showErrorMessage showMessage setStatusBarMessage UserError
    MarkdownString appendMarkdown appendText TreeItem CodeAction createTextNode`,
  engineer: 'trace debug info warn error log Error TypeError RangeError Undecodable super stringify querySelector',
});

/** Readers of arguments by position, for functions with several kinds. */
const placeReaders: Readonly<Record<string, (place: number, first: string) => Reader>> = {
  // The first argument is the kind of the message.
  showMessage: (place) => (place === 0 ? 'engineer' : 'user'),
  // The first argument is a key.
  set: (place) => (place === 0 ? 'engineer' : 'unknown'),
  setAttribute: (place, first) => (place === 1 && /'(aria-label|title|alt)'/.test(first) ? 'user' : 'engineer'),
};

/** HTML attributes whose values users read or hear. */
const spokenAttributes = ['aria-label', 'title', 'alt', 'placeholder'];
const spokenValues = new RegExp(`\\s(?:${spokenAttributes.join('|')})="([^"]*)"`, 'g');

/** Strings of a module that users would read in English whatever the language, as `line: text`. */
export function hardCodedStrings(tree: SourceFile): readonly string[] {
  const found: string[] = [];
  const visit = (node: Node): void => {
    const text = isMarkup(node) ? readMarkup(node) : literalText(node);
    if (text !== undefined && !isTranslated(node) && isForUsers(text, readerOf(node))) {
      found.push(`${tree.getLineAndCharacterOfPosition(node.getStart()).line + 1}: ${text}`);
    }
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

/** The text of a literal, with `{}` for each template value. */
function literalText(node: Node): string | undefined {
  if (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) return node.text;
  if (!isTemplateExpression(node)) return undefined;
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('{}');
}

/** Whether a node is an `html` template, as used by the pages. */
function isMarkup(node: Node): boolean {
  if (!isTemplateExpression(node) && !isNoSubstitutionTemplateLiteral(node)) return false;
  return isTaggedTemplateExpression(node.parent) && lastName(node.parent.tag) === 'html';
}

/** What users read in an `html` template: the text between tags, and the attributes in {@link spokenAttributes}. */
function readMarkup(node: Node): string | undefined {
  const markup = literalText(node) ?? '';
  const spoken = [...markup.matchAll(spokenValues)].map(([, value = '']) => value);
  const words = [markup.replaceAll(/<[^>]*>/g, ' '), ...spoken].join(' ').replaceAll('{}', ' ');
  return words.replaceAll(/\s+/g, ' ').trim();
}

/** The reader of a value in an `html` template, which is an attribute's value or text. */
function readerOfPlace(before: string): Reader {
  const [, attribute] = /\s([^\s=<>"]+)=(?:"[^"]*)?$/.exec(before) ?? [];
  return attribute === undefined || spokenAttributes.includes(attribute) ? 'user' : 'engineer';
}

function isTranslated(node: Node): boolean {
  for (let at = node; at.kind !== SyntaxKind.SourceFile; at = at.parent) {
    if (isCallExpression(at.parent) && translatedMessage(at.parent) && at.parent.arguments[0] === at) return true;
  }
  return false;
}

function isForUsers(text: string, reader: Reader): boolean {
  switch (reader) {
    case 'user':
      return /\p{L}{2}/u.test(text.replaceAll(/\$\([\w~-]+\)/g, ''));
    case 'engineer':
      return false;
    case 'unknown':
      // Two words separated by a space: ids, code and markup contain none outside of tags. Selectors begin with a class.
      return !/^\.[a-z]/.test(text) && /\p{L}{2,}[,.:;]? \p{L}{2,}/u.test(text.replaceAll(/<[^>]*>/g, ''));
  }
}

/** The reader of a literal, determined by where its value or an expression containing it is used. */
function readerOf(literal: Node): Reader {
  let node = literal;
  while (passesOn(node.parent, node)) {
    if (isTemplateSpan(node.parent) && isMarkup(node.parent.parent)) {
      return readerOfPlace(textBefore(node.parent));
    }
    node = node.parent;
  }
  const { parent } = node;
  if (isMarkup(node)) return 'user';
  if (isPropertyAssignment(parent)) return propertyReaders.get(parent.name.getText()) ?? 'unknown';
  if (isBinaryExpression(parent) && parent.operatorToken.kind === SyntaxKind.EqualsToken) {
    return propertyReaders.get(lastName(parent.left)) ?? 'unknown';
  }
  if (isCallExpression(parent) || isNewExpression(parent)) {
    const name = lastName(parent.expression);
    const [first, ...rest] = parent.arguments ?? [];
    const place = [first, ...rest].findIndex((argument) => argument === node);
    return placeReaders[name]?.(place, first?.getText() ?? '') ?? argumentReaders.get(name) ?? 'unknown';
  }
  // A list of words, written as one string.
  return isPropertyAccessExpression(parent) && parent.name.text === 'split' ? 'engineer' : 'unknown';
}

/** The text of a template before one of its spans. */
function textBefore(span: Node): string {
  const template = span.parent;
  if (!isTemplateExpression(template)) return '';
  const index = template.templateSpans.findIndex((each) => each === span);
  const before = template.templateSpans.slice(0, index).map(({ literal }) => literal.text);
  return [template.head.text, ...before].join('{}');
}

/** Whether the value of an expression may be the value of its part. */
function passesOn(parent: Node, part: Node): boolean {
  if (isConditionalExpression(parent)) return parent.condition !== part;
  if (isBinaryExpression(parent)) {
    const operator = parent.operatorToken.kind;
    const chooses = operator === SyntaxKind.QuestionQuestionToken || operator === SyntaxKind.BarBarToken;
    return chooses || operator === SyntaxKind.AmpersandAmpersandToken || operator === SyntaxKind.PlusToken;
  }
  return (
    isParenthesizedExpression(parent) ||
    isTemplateSpan(parent) ||
    isTemplateExpression(parent) ||
    isArrayLiteralExpression(parent) ||
    isAsExpression(parent)
  );
}

function lastName(node: Node): string {
  if (isPropertyAccessExpression(node)) return node.name.text;
  return isIdentifier(node) ? node.text : node.getText();
}

function readers(names: Readonly<Record<'user' | 'engineer', string>>): ReadonlyMap<string, Reader> {
  const of = (reader: 'user' | 'engineer'): readonly (readonly [string, Reader])[] =>
    names[reader].split(/\s+/).map((name) => [name, reader] as const);
  return new Map([...of('user'), ...of('engineer')]);
}
