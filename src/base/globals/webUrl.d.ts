/**
 * The domain's only dependency on its host: the WHATWG `URL`, available in Node, browsers and web workers. Declared here so that the domain
 * compiles without the types of Node and the DOM.
 */
declare class URL {
  constructor(input: string, base?: string | URL);
  static canParse(input: string, base?: string): boolean;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  pathname: string;
  search: string;
  hash: string;
  readonly searchParams: URLSearchParams;
  href: string;
  toString(): string;
}

declare class URLSearchParams {
  get(name: string): string | null;
  has(name: string): boolean;
}
