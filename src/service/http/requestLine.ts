/** Query parameters of which the log may tell the value. Custom metadata is the user's own business. */
const tellable = /^(?:offset|limit|date|before_date|after_date|status|kind)(?:\[\])?$/;

/** A request as the log tells it: method, path, and those query values that are nobody's secret. */
export function requestLine(method: string, url: URL): string {
  const query = [...url.searchParams].map(([name, value]) => `${name}=${tellable.test(name) ? value : '…'}`).join('&');
  return `${method} ${url.pathname}${query === '' ? '' : `?${query}`}`;
}
