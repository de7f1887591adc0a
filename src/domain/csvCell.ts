/** Spreadsheets take a cell that begins so for a formula; the full-width signs count in some of them too. */
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/**
 * A cell as RFC 4180 writes it. What a spreadsheet could run as a formula gets an apostrophe before it, which spreadsheets
 * read as "this is text".
 */
export function csvCell(text: string): string {
  const harmless = formulaStart.test(text) ? `'${text}` : text;
  // Quotes also where RFC 4180 needs none but a spreadsheet may split: in some countries at semicolons, and at tabs.
  return /[",;\t\r\n]|^\s|\s$/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

/** A record with its line end. */
export function csvRecord(cells: readonly string[]): string {
  return `${cells.map(csvCell).join(',')}\r\n`;
}
