/**
 * The one thing the domain takes from its host: the WHATWG `URL`, which Node, browsers and web workers all have.
 * Declared here so that the domain compiles without Node's and the DOM's types.
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
