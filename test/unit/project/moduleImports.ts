import { posix } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isNamedImports,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { SyntaxKind } from 'typescript/unstable/ast';

/** The specifiers of a module's imports, re-exports, `import()` calls and `import()` types, in source order. */
export function moduleImports(tree: SourceFile): readonly string[] {
  const specifiers: string[] = [];
  const visit = (node: Node): void => {
    const specifier = specifierOf(node);
    if (specifier && isStringLiteral(specifier)) specifiers.push(specifier.text);
    node.forEachChild(visit);
  };
  visit(tree);
  return specifiers;
}

/** The modules that a module loads at run time: type-only imports do not count, re-exports and `import()` do. */
export function runtimeImports(tree: SourceFile): readonly string[] {
  const specifiers: string[] = [];
  const visit = (node: Node): void => {
    const specifier = isTypesAlone(node) ? undefined : specifierOf(node);
    if (specifier && isStringLiteral(specifier)) specifiers.push(specifier.text);
    node.forEachChild(visit);
  };
  visit(tree);
  return specifiers;
}

function isTypesAlone(node: Node): boolean {
  if (isImportTypeNode(node)) return true;
  if (isExportDeclaration(node)) return node.isTypeOnly;
  if (!isImportDeclaration(node) || node.importClause === undefined) return false;
  const { phaseModifier, name, namedBindings } = node.importClause;
  if (phaseModifier === SyntaxKind.TypeKeyword) return true;
  if (name !== undefined || namedBindings === undefined || !isNamedImports(namedBindings)) return false;
  return namedBindings.elements.every(({ isTypeOnly }) => isTypeOnly);
}

function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier;
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

/** The file of a relative specifier, relative to the repository's root; package names are returned unchanged. */
export function importedPath(importer: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : specifier;
}
