/** The `code` of a system error, such as `ENOENT`; undefined for anything else that is thrown. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}
