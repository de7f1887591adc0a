const previewedRows = 50;

/** The rows of a table as CSV (RFC 4180) or with another delimiter, which is guessed. Blank lines are rows with one empty cell. */
export async function tableRows(text: string): Promise<readonly (readonly string[])[]> {
  // Loaded with the first table.
  const { default: papa } = await import('papaparse');
  const table = text.replace(/^\uFEFF/, '');
  // Blank lines mislead the guess, and yet are wanted: rows are told by number.
  const { meta } = papa.parse<string[]>(table, { preview: previewedRows, skipEmptyLines: true });
  return papa.parse<string[]>(table, { delimiter: meta.delimiter }).data;
}
