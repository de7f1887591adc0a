import type { Node, SourceFile } from 'typescript/unstable/ast';
import { SyntaxKind } from 'typescript/unstable/ast';
import {
  isBindingElement,
  isClassDeclaration,
  isExportDeclaration,
  isExportSpecifier,
  isFunctionDeclaration,
  isIdentifier,
  isInterfaceDeclaration,
  isTypeAliasDeclaration,
  isVariableDeclaration,
  isVariableStatement,
} from 'typescript/unstable/ast/is';

/** The names that a module declares and exports, each once. Re-exports do not count. */
export function exportedNames(tree: SourceFile): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of tree.statements) {
    if (isExportDeclaration(statement)) {
      if (statement.moduleSpecifier === undefined) addSpecifiers(statement, names);
    } else if (isExported(statement)) {
      addDeclared(statement, names);
    }
  }
  return names;
}

function isExported(statement: Node): boolean {
  let exported = false;
  statement.forEachChild((child) => {
    if (child.kind === SyntaxKind.ExportKeyword) exported = true;
  });
  return exported;
}

function addSpecifiers(node: Node, names: Set<string>): void {
  node.forEachChild((child) => {
    if (isExportSpecifier(child)) names.add(child.name.text);
    else addSpecifiers(child, names);
  });
}

function addDeclared(node: Node, names: Set<string>): void {
  if (
    isFunctionDeclaration(node) ||
    isClassDeclaration(node) ||
    isInterfaceDeclaration(node) ||
    isTypeAliasDeclaration(node)
  ) {
    if (node.name) names.add(node.name.text);
  } else if (isVariableStatement(node)) {
    addBound(node, names);
  }
}

function addBound(node: Node, names: Set<string>): void {
  node.forEachChild((child) => {
    if ((isVariableDeclaration(child) || isBindingElement(child)) && child.name && isIdentifier(child.name))
      names.add(child.name.text);
    if (!isVariableDeclaration(child) || !child.name || !isIdentifier(child.name)) addBound(child, names);
  });
}
