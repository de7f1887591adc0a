import papa from 'papaparse';

/** Reads CSV as RFC 4180 describes it, with a line end after each record. */
export function parseCsv(text: string): string[][] {
  const { data, errors } = papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' });
  if (errors.length > 0) throw new Error(`not CSV: ${JSON.stringify(errors[0])}`);
  return data.slice(0, -1);
}
