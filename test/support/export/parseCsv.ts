import papa from 'papaparse';

/** Parses CSV as specified in RFC 4180, with a line end after each record. */
export function parseCsv(text: string): string[][] {
  const { data, errors } = papa.parse<string[]>(text, { delimiter: ',', newline: '\r\n' });
  if (errors.length > 0) throw new Error(`not CSV: ${JSON.stringify(errors[0])}`);
  return data.slice(0, -1);
}
