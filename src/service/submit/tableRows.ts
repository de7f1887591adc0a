const previewedRows = 50;

/** The rows of CSV (RFC 4180) or of text with another delimiter, which is detected. Blank lines are rows with one empty cell. */
export async function tableRows(text: string): Promise<readonly (readonly string[])[]> {
  // Loaded on demand.
  const { default: papa } = await import('papaparse');
  const table = text.replace(/^\uFEFF/, '');
  // Blank lines confuse the detection, but are needed in the result, because row numbers are shown.
  const { meta } = papa.parse<string[]>(table, { preview: previewedRows, skipEmptyLines: true });
  return papa.parse<string[]>(table, { delimiter: meta.delimiter }).data;
}
