/** Request schema as code, generated at build time (`media/schemas/requestValidator.ts`). `schemaErrors` is a `SchemaCheck`. */
declare module 'request-validator:' {
  export const schemaErrors: (
    value: unknown,
    maxOfKeyword?: number,
  ) => readonly {
    readonly instancePath: string;
    readonly keyword: string;
    readonly params: Readonly<Record<string, unknown>>;
  }[];
}
