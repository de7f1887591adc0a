import * as vscode from 'vscode';
import { LineIndex, type TextRange } from '../../domain/request/json/jsonPlaces.ts';

/** Turns offsets into lines and columns as the editor counts them. Documents do. */
export interface Positions {
  positionAt(offset: number): vscode.Position;
}

export function toRange(positions: Positions, { offset, length }: TextRange): vscode.Range {
  return new vscode.Range(positions.positionAt(offset), positions.positionAt(offset + length));
}

/** The positions of a text that no document has, or one with other line breaks. */
export function positionsIn(text: string): Positions {
  const lines = new LineIndex(text);
  return {
    positionAt: (offset) => {
      const { line, column } = lines.positionAt(offset);
      return new vscode.Position(line - 1, column - 1);
    },
  };
}
