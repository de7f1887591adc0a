/** When a signed link ends, in milliseconds since the epoch; undefined when it does not say so in a way that stores use. */
export function linkExpiry(url: URL): number | undefined {
  const parameters = new Map(queryOf(url).map(([name, value]) => [name.toLowerCase(), value]));
  for (const store of ['x-amz', 'x-goog']) {
    const begin = compactTime(parameters.get(`${store}-date`));
    const seconds = digits(parameters.get(`${store}-expires`));
    if (begin !== undefined && seconds !== undefined) return begin + seconds * 1000;
  }
  // Azure: `se` is the end, `sig` makes it a signature and not some other `se`.
  if (parameters.has('sig')) {
    const end = Date.parse(parameters.get('se') ?? '');
    if (!Number.isNaN(end)) return end;
  }
  const epochSeconds = digits(parameters.get('expires'));
  // Smaller numbers are durations.
  return epochSeconds !== undefined && epochSeconds > 1e9 ? epochSeconds * 1000 : undefined;
}

function queryOf(url: URL): readonly (readonly [string, string])[] {
  return url.search
    .slice(1)
    .split('&')
    .map((pair) => {
      const [name = '', value = ''] = pair.split('=').map(decoded);
      return [name, value];
    });
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function digits(text: string | undefined): number | undefined {
  return text !== undefined && /^\d{1,12}$/u.test(text) ? Number(text) : undefined;
}

/** `20250131T235959Z`, the way signatures have it. */
function compactTime(text: string | undefined): number | undefined {
  const parts = /^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/u.exec(text ?? '');
  if (!parts) return undefined;
  const [, year, month, day, hour, minute, second] = parts;
  const time = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(time) ? undefined : time;
}
