import { posix } from 'node:path';
import type { Node, SourceFile } from 'typescript/unstable/ast';
import {
  isCallExpression,
  isExportDeclaration,
  isImportDeclaration,
  isImportTypeNode,
  isLiteralTypeNode,
  isStringLiteral,
} from 'typescript/unstable/ast/is';
import { SyntaxKind } from 'typescript/unstable/ast';

/** What a module names in its imports, re-exports, `import()` calls and `import()` types, in that order of writing. */
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

function specifierOf(node: Node): Node | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return node.moduleSpecifier;
  if (isImportTypeNode(node) && isLiteralTypeNode(node.argument)) return node.argument.literal;
  if (isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword) return node.arguments[0];
  return undefined;
}

/** The file that a relative specifier means, from the repository's root; a package's name as it is. */
export function importedPath(importer: string, specifier: string): string {
  return specifier.startsWith('.') ? posix.join(posix.dirname(importer), specifier) : specifier;
}
