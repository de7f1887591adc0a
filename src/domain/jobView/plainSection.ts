import type { ViewRow, ViewSection } from './jobView.ts';

/** A section of rows; callers add what else it has. */
export function plainSection(id: string, title: string, rows: readonly ViewRow[]): ViewSection {
  return { id, title, rows, groups: [], switches: undefined, notes: [], members: undefined };
}
