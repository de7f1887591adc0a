import type { CallExpression, Expression, Node, SourceFile } from 'typescript/unstable/ast';
import {
  isArrayLiteralExpression,
  isCallExpression,
  isIdentifier,
  isNoSubstitutionTemplateLiteral,
  isObjectLiteralExpression,
  isPropertyAccessExpression,
  isPropertyAssignment,
  isSpreadElement,
  isStringLiteral,
} from 'typescript/unstable/ast/is';

/** A call that translates a message. */
export interface TranslatedMessage {
  /** The English message; undefined if it is not a literal and therefore cannot be exported. */
  readonly message: string | undefined;
  /** The translator's notes; may be empty. */
  readonly comment: readonly string[];
  /** The number of arguments; undefined if it cannot be determined. */
  readonly values: number | undefined;
}

/** The calls of `t(…)` and `….l10n.t(…)` in a module. */
export function translatedMessages(tree: SourceFile): readonly TranslatedMessage[] {
  const found: TranslatedMessage[] = [];
  const visit = (node: Node): void => {
    const translated = isCallExpression(node) ? translatedMessage(node) : undefined;
    if (translated) found.push(translated);
    node.forEachChild(visit);
  };
  visit(tree);
  return found;
}

/** The message that a call translates; undefined for other calls. */
export function translatedMessage(call: CallExpression): TranslatedMessage | undefined {
  const { expression, arguments: values } = call;
  const byName = isIdentifier(expression) && expression.text === 't';
  const byNamespace = isPropertyAccessExpression(expression) && /\bl10n\.t$/.test(expression.getText());
  if (!byName && !byNamespace) return undefined;
  const [first, ...rest] = values;
  return {
    message: first && (literal(first) ?? literal(property(first, 'message'))),
    comment: commentOf(first),
    values: rest.some((value) => isSpreadElement(value)) ? undefined : rest.length,
  };
}

function commentOf(first: Expression | undefined): readonly string[] {
  const comment = first && property(first, 'comment');
  if (comment === undefined) return [];
  const parts = isArrayLiteralExpression(comment) ? [...comment.elements] : [comment];
  return parts.flatMap((part) => literal(part) ?? []);
}

function literal(node: Node | undefined): string | undefined {
  return node && (isStringLiteral(node) || isNoSubstitutionTemplateLiteral(node)) ? node.text : undefined;
}

function property(node: Node, name: string): Expression | undefined {
  if (!isObjectLiteralExpression(node)) return undefined;
  return node.properties.filter((each) => isPropertyAssignment(each)).find((each) => each.name.getText() === name)
    ?.initializer;
}
