const longestLine = 120;

/** A text on one line of at most 120 characters. */
export function oneLine(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > longestLine ? `${line.slice(0, longestLine - 1)}…` : line;
}
